// SPDX-License-Identifier: MIT
// A click on a column's head sorts by it, another one the other way round.
for (const button of document.querySelectorAll("th button")) button.addEventListener("click", () => {
  const head = button.closest("th"), table = head.closest("table"), body = table.tBodies[0];
  const down = head.getAttribute("aria-sort") === "ascending";
  for (const other of table.querySelectorAll("th")) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  const key = row => row.cells[head.cellIndex].dataset.key ?? row.cells[head.cellIndex].textContent;
  const order = (a, b) => head.className === "number" ? key(a) - key(b) : key(a).localeCompare(key(b));
  body.append(...[...body.rows].sort((a, b) => down ? order(b, a) : order(a, b)));
});

// Rows stay that have all the words.
for (const filter of document.querySelectorAll(".filter")) filter.addEventListener("input", () => {
  const words = filter.querySelector("input").value.toLowerCase().split(/\s+/);
  const rows = [...filter.nextElementSibling.querySelectorAll("tbody tr")];
  for (const row of rows) row.hidden = !words.every(word => row.textContent.toLowerCase().includes(word));
  filter.querySelector("output").textContent = `${rows.filter(row => !row.hidden).length} of ${rows.length} rows`;
});
