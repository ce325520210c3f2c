// Answers the audit protocol for the libraries of the npm registry that are audited: one JSON request per line on stdin,
// one JSON answer per line on stdout.   node javascript.js MECHANISM PARAMETERS   with the modules on NODE_PATH.
"use strict";
const readline = require("node:readline");

// Current node has a read-only `crypto`, which differential-privacy assigns to when it is loaded.
Object.defineProperty(globalThis, "crypto", { value: globalThis.crypto, writable: true, configurable: true });

const library = (name) => require(require.resolve(name, { paths: process.env.NODE_PATH.split(require("node:path").delimiter) }));

// Noisy numbers are rounded; outside the window low .. high they are merged, which is post-processing.
const seen = ({ low, high }, noisy) => {
  const y = Math.round(noisy);
  return y < low ? "below" : y > high ? "above" : y;
};

// A data set of bits as the library wants it, and the query on it.
const sum = (view) => view.map((bit) => bit).reduce((a, b) => a + b, 0);
const count = (view) => view.map(() => 1).reduce((a, b) => a + b, 0);
const bits = (ones, zeros) => [...Array(ones).fill(1), ...Array(zeros).fill(0)];

function privatized(query, dataset) {
  return async (given, input) => {
    const { privatize, newArrayView } = library("differential-privacy");
    const noisy = privatize(query, { maxEpsilon: given.epsilon, newShadowIterator: (view) => view.newShadowIterator() });
    return seen(given, (await noisy(newArrayView(dataset(input)))).result);
  };
}

// The same noise with a natural logarithm and the sensitivity that the query has on all data sets.
async function repaired(given, input) {
  const { randomBytes } = require("node:crypto");
  const u = (randomBytes(6).readUIntBE(0, 6) + 0.5) / 2 ** 48 - 0.5;
  return seen(given, input - (given.sensitivity / given.epsilon) * Math.sign(u) * Math.log(1 - 2 * Math.abs(u)));
}

const mechanisms = {
  // every data set has a bit of either kind, so that leaving one out moves the sum by 0 or 1
  sum: privatized(sum, (ones) => bits(ones, 3 - ones)),
  // all bits are equal on one of the two
  sum_of_equal: privatized(sum, (ones) => bits(ones, 2 - ones)),
  count: privatized(count, (users) => bits(0, users)),
  repaired,
  weighted: async ({ utilities, sensitivity, epsilon }, input) =>
    library("weighted-random")(utilities[input].map((u) => Math.exp((epsilon * u) / (2 * sensitivity)))),
};

const [name, text] = process.argv.slice(2);
const [mechanism, given] = [mechanisms[name], JSON.parse(text)];

async function sample({ input, count: asked }) {
  const reports = [];
  for (let i = 0; i < asked; i++) reports.push(await mechanism(given, input));
  return { reports };
}

async function main() {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const request = JSON.parse(line);
    let content;
    try {
      content = request.op === "sample" ? await sample(request) : { error: `no operation ${request.op}` };
    } catch (error) {
      content = { error: String(error) };
    }
    process.stdout.write(JSON.stringify({ id: request.id, ...content }) + "\n");
  }
}
main();
