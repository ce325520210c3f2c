// A link to a claim inside a folded block opens the block.
function unfold() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  for (let box = target.closest("details"); box; box = box.parentElement.closest("details")) box.open = true;
  target.scrollIntoView();
}
addEventListener("hashchange", unfold);
addEventListener("DOMContentLoaded", unfold);

// A formula within a line that is wider than its text, or than CELL in a table, gets a line of its own, which scrolls.
const CELL = 320;
function fit() {
  for (const formula of document.querySelectorAll("article mjx-container:not([display])")) {
    formula.classList.remove("wide");
    const room = formula.closest("td, th") ? CELL : formula.closest("p, li, dd, dt, blockquote, h1, h2, h3, div").clientWidth;
    formula.classList.toggle("wide", room > 0 && formula.getBoundingClientRect().width > room);
  }
}
addEventListener("load", () => window.MathJax?.startup?.promise.then(fit));
addEventListener("resize", fit);
addEventListener("toggle", fit, true);
