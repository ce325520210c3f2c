// Generalized randomized response that answers the dp-refimpl audit protocol: one JSON request per line on stdin,
// one JSON answer per line on stdout.   node grr_client.js D EPSILON [--bug=p]
"use strict";
const { randomInt } = require("node:crypto");
const readline = require("node:readline");

const d = Number(process.argv[2]);
const epsilon = Number(process.argv[3]);
if (!Number.isInteger(d) || d < 2 || !(epsilon > 0)) throw new RangeError("usage: grr_client.js D EPSILON [--bug=p]");
const p = Math.exp(epsilon) / (Math.exp(epsilon) + d - 1); // probability of the true item
const q = (1 - p) / (d - 1);                               // of each other item
const used = process.argv.includes("--bug=p") ? 1.05 * p : p; // a planted fault: 5 % too little noise

// Unbiased integers of the system's generator, 48 bits: p and q are met up to 2^-48.
const bernoulli = (chance) => randomInt(2 ** 48 - 1) < chance * (2 ** 48 - 1);

const isItem = (value) => Number.isInteger(value) && value >= 0 && value < d;

function randomize(item) {
  if (bernoulli(used)) return item;
  const other = randomInt(d - 1);
  return other < item ? other : other + 1;
}

function sample({ input, count }) {
  if (!isItem(input)) return { error: `input ${JSON.stringify(input)} is none of 0 .. ${d - 1}` };
  return { reports: Array.from({ length: count }, () => randomize(input)) };
}

function estimate({ reports }) {
  if (!reports.every(isItem)) return { error: "a report that is no item" };
  const counts = new Array(d).fill(0);
  for (const report of reports) counts[report] += 1;
  return { estimates: counts.map((count) => (count / reports.length - q) / (p - q)) };
}

const operations = new Map([["sample", sample], ["estimate", estimate]]);
readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const request = JSON.parse(line);
  const run = operations.get(request.op) ?? (() => ({ error: `no operation ${request.op}` }));
  process.stdout.write(JSON.stringify({ id: request.id, ...run(request) }) + "\n");
});
