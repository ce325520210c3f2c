// A link to a claim inside a folded block opens the block.
function unfold() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  for (let box = target.closest("details"); box; box = box.parentElement.closest("details")) box.open = true;
  target.scrollIntoView();
}
addEventListener("hashchange", unfold);
addEventListener("DOMContentLoaded", unfold);

// Of the blocks of a page, those about the chosen mechanism.
function choose({ target: choice }) {
  if (!choice.matches?.(".choice select")) return;
  for (const block of document.querySelectorAll("[data-about]"))
    block.hidden = choice.value !== "" && !block.dataset.about.split(" ").includes(choice.value);
}
addEventListener("change", choose);
addEventListener("pageshow", () => document.querySelectorAll(".choice select").forEach((target) => choose({ target })));
