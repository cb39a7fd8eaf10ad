/**
 * What the page does: sorts and filters tables, saves figures and the result, turns the theme. Everything is readable without it. It asks
 * nobody for anything; the page's content security policy lets only this very text run, by its hash.
 */
export const pageScript: string = String.raw`
"use strict";
for (const table of document.querySelectorAll("table.ranking")) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  const valueOf = (row, at) => {
    const cell = row.cells[at];
    const data = cell.querySelector("data");
    if (data) return Number(data.value);
    const text = cell.textContent.trim();
    return text === "" || text === "–" ? null : text.toLowerCase();
  };
  heads.forEach((head, at) => {
    head.querySelector("button").addEventListener("click", () => {
      const up = head.dataset.first === "descending" ? "descending" : "ascending";
      const now = head.getAttribute("aria-sort");
      const next = now === null ? up : now === "ascending" ? "descending" : "ascending";
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", next);
      const sign = next === "ascending" ? 1 : -1;
      const rows = [...body.rows].map((row) => [valueOf(row, at), row]);
      rows.sort(([a], [b]) =>
        a === b ? 0 : a === null ? 1 : b === null ? -1 : (a < b ? -1 : 1) * sign);
      body.append(...rows.map(([, row]) => row));
    });
  });
  const tools = document.querySelector('[data-for="' + table.id + '"]');
  if (!tools) continue;
  const field = tools.querySelector("input");
  const count = tools.querySelector("output");
  field.addEventListener("input", () => {
    const wanted = field.value.trim().toLowerCase();
    let shown = 0;
    for (const row of body.rows) {
      const name = row.querySelector(".name") || row;
      row.hidden = !name.textContent.toLowerCase().includes(wanted);
      if (!row.hidden) shown++;
    }
    count.textContent =
      wanted === "" ? "" : shown === 0 ? "No name contains this" : shown + " of " + body.rows.length + " shown";
  });
}
const save = (content, type, name) => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
};
const standalone = (svg) => {
  const copy = svg.cloneNode(true);
  const colours = getComputedStyle(document.documentElement);
  const text = new XMLSerializer().serializeToString(copy);
  return text.replace(/var\((--[\w-]+)\)/g, (_, name) => colours.getPropertyValue(name).trim());
};
for (const button of document.querySelectorAll("button[data-save]")) {
  button.addEventListener("click", () => {
    const figure = button.closest("figure");
    if (!figure) return save(document.getElementById("result").textContent, "application/json", "result.json");
    const svg = figure.querySelector("svg");
    const name = figure.dataset.name;
    const text = standalone(svg);
    if (button.dataset.save === "svg") return save(text, "image/svg+xml", name + ".svg");
    const image = new Image();
    image.onload = () => {
      const canvas = document.createElement("canvas");
      canvas.width = 2 * image.width;
      canvas.height = 2 * image.height;
      const context = canvas.getContext("2d");
      context.scale(2, 2);
      context.drawImage(image, 0, 0);
      canvas.toBlob((blob) => save(blob, "image/png", name + ".png"));
    };
    image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(text);
  });
}
document.getElementById("theme").addEventListener("click", () => {
  const root = document.documentElement;
  const dark = root.dataset.theme
    ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
});
let folded = [];
addEventListener("beforeprint", () => {
  folded = [...document.querySelectorAll("details:not([open])")];
  for (const details of folded) details.open = true;
});
addEventListener("afterprint", () => {
  for (const details of folded) details.open = false;
});
for (const tool of document.querySelectorAll(".tools[hidden], button[hidden]")) tool.hidden = false;
`;
