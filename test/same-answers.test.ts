import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { writeParquet } from "@ratewise/files";
import { afterAll, expect, test } from "vitest";

type Files = Readonly<Record<string, string | Uint8Array>>;

const here = mkdtempSync(join(tmpdir(), "same-answers-"));
afterAll(() => rmSync(here, { recursive: true }));

/** What the comparison says of one case whose files are these before and after. */
function compared(
  name: string,
  before: Files,
  after: Files,
  what = "explain-regression",
): { code: number | null; said: string } {
  const folders = Object.entries({ before, after }).map(([side, files]) => {
    const folder = join(here, name, side);
    for (const [path, content] of Object.entries({ "../inputs/x": "", ...files })) {
      const file = join(folder, what, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
    }
    return folder;
  });
  const script = join(import.meta.dirname, "../bench/same-answers.mjs");
  const options = ["--only", what, "--against", folders[0], "--recorded", folders[1]];
  const { status, stdout } = spawnSync(process.execPath, [script, ...options], {
    encoding: "utf8",
  });
  return {
    code: status,
    said: stdout.split("\n").find((line) => line.includes(` ${what}:`)) ?? "",
  };
}

const page = (words: string, share: string) =>
  `price from 3 variables.\n\nrank  variable  RATE\n   1  area      ${share}  ████  ${words}\n`;
const drawing = (title: string, x: string) =>
  `<svg><title>${title}</title><path d="M0,0L${x},6" class="a1" /><text>gradient-rate</text></svg>`;
const report = (words: string, share: string, kld: string) =>
  `<p>${words}</p><table><tr><td>area<td class="n"><data value="${share}">0.5</data></tr></table>` +
  `<script type="application/json" id="result">{"kld":${kld},"message":"${words}"}</script>`;
const bundle = (version: string, value: number) => {
  const header = Buffer.from(
    JSON.stringify({ version, parameters: { $array: "f64", at: 0, length: 1 } }),
  );
  const start = Math.ceil((20 + header.length) / 8) * 8;
  const bytes = Buffer.alloc(start + 8);
  bytes.write("RATEWISE");
  bytes.writeUInt32LE(header.length, 16);
  header.copy(bytes, 20);
  bytes.writeDoubleLE(value, start);
  return bytes;
};
const parquet = (name: string, value: number) =>
  writeParquet([{ name, kind: "number", values: [value] }]);

const recorded: Files = {
  "kept.npy": "0.1",
  "result.json": '{"version":"1","gradient-rate":0.1,"list":[{"a":1,"message":"Old words."}]}',
  "importance.csv": "name,gradient-rate\narea,0.25\n",
  "printed.txt": page("stands in for rooms", "0.4997"),
  "shape.svg": drawing("How it changes", "6.5"),
  "shape.png": "the pixels of old words",
  "report.html": report("goes along", "0.51", "2.5"),
  "model.ratewise": bundle("1", 0.5),
  "importance.parquet": parquet("gradient-rate", 0.3),
};

test("new names, sentences and versions are no difference, and what was compared how is said", () => {
  const { code, said } = compared("words", recorded, {
    ...recorded,
    "result.json": '{"list":[{"a":1,"message":"New words."}],"gradient":0.1,"version":"2"}',
    "importance.csv": "name,gradient\narea,0.25\n",
    "printed.txt": page("substitute", "0.4997"),
    "shape.svg": drawing("As it changes", "6.5"),
    "shape.png": "the pixels of new words",
    "report.html": report("moves along", "0.51", "2.5"),
    "model.ratewise": bundle("2", 0.5),
    "importance.parquet": parquet("gradient", 0.3),
  });
  expect(said).toBe(
    "same      explain-regression: to the byte: 1; apart from names, sentences and times: " +
      "importance.csv, importance.parquet, model.ratewise, result.json; in all numbers of its " +
      "tables or drawing: printed.txt, report.html, shape.svg; not compared: shape.png",
  );
  expect(code).toBe(0);
});

test("one changed number is a difference in every kind of file, whatever else has changed", () => {
  const changed: Files = {
    "kept.npy": "0.2",
    "result.json": '{"version":"2","gradient":0.10000000000000002,"list":[{"a":1}]}',
    "importance.csv": "name,gradient\narea,0.26\n",
    "printed.txt": page("substitute", "0.4998"),
    "shape.svg": drawing("As it changes", "6.6"),
    "report.html": report("moves along", "0.52", "2.5"),
    "model.ratewise": bundle("2", 0.5000000000000001),
    "importance.parquet": parquet("gradient", 0.30000000000000004),
  };
  for (const [name, content] of Object.entries(changed)) {
    const { code, said } = compared(`number-${name}`, recorded, { ...recorded, [name]: content });
    expect(said).toMatch(new RegExp(`^DIFFERENT .*; different: ${name} \\(`));
    expect(code).toBe(1);
  }
});

test("a drawing whose renamed label moves everything keeps the numbers that have no place", () => {
  const cell = (label: string, x: number, opacity: number) =>
    `<svg><text x="${x}">${label}</text><rect x="${x}" fill-opacity="${opacity}" /><text>0.77</text></svg>`;
  const of = (svg: string): Files => ({ "agreement.svg": svg });
  const before = of(cell("gradient-rate", 107, 0.68));
  const moved = compared("moved", before, of(cell("gradient", 100, 0.68)));
  expect(moved.said).toContain("the length of a renamed label: agreement.svg");
  expect(moved.code).toBe(0);
  const changes = [
    cell("gradient", 100, 0.69),
    cell("gradient", 100, 0.68).replace("0.77", "0.78"),
  ];
  changes.forEach((svg, k) => {
    expect(compared(`moved-${k}`, before, of(svg)).code).toBe(1);
  });
  const same = of(cell("permutation", 107, 0.68));
  expect(compared("moved-alone", same, of(cell("permutation", 100, 0.68))).code).toBe(1);
});

test("a picture without a changed drawing, the document of a report, and files more or less count", () => {
  const changes: [string, Files][] = [
    ["shape.png", { ...recorded, "shape.png": "other pixels" }],
    ["report.html", { ...recorded, "report.html": report("goes along", "0.51", "2.6") }],
    ["new.csv", { ...recorded, "new.csv": "" }],
    ["kept.npy", Object.fromEntries(Object.entries(recorded).slice(1))],
  ];
  for (const [name, after] of changes) {
    const { code, said } = compared(`file-${name}`, recorded, after);
    expect(said).toMatch(new RegExp(`; different: ${name} \\(`));
    expect(code).toBe(1);
  }
});

test("an answer whose fields moved is compared in its new shape, number by number", () => {
  const answer = (value: unknown): Files => ({ "answer.json": JSON.stringify(value) });
  const lasso = (loss: number) => ({ lasso: [0.1], crossed: { loss, best: 1 } });
  const old = answer({ ...lasso(2), crossed: { loss: 2, standardError: 0.3, best: 1 } });
  const path = "call-group-lasso-path";
  expect(compared("lasso-same", old, answer(lasso(2)), path).code).toBe(0);
  expect(compared("lasso-again", answer(lasso(2)), answer(lasso(2)), path).code).toBe(0);
  expect(compared("lasso-other", old, answer(lasso(3)), path).said).toContain("crossed.loss");

  const parts = { labels: { Float64Array: [1, -1] }, base: 1 };
  const values = { Float64Array: [5] };
  const starts = [0, 1, 1];
  const flat = { ...parts, starts: { Float64Array: starts }, indices: { Uint32Array: [2] } };
  const read = (column: number) => ({
    ...parts,
    X: {
      rows: 2,
      cols: 3,
      starts: { Int32Array: starts },
      columns: { Int32Array: [column] },
      values,
    },
  });
  const before = answer({ names: ["a"], sparse: { ...flat, values, columns: 3 } });
  const files = "call-tables-groups-and-files";
  const after = (column: number) => answer({ names: ["a"], sparse: read(column) });
  expect(compared("rows-same", before, after(2), files).code).toBe(0);
  expect(compared("rows-again", after(2), after(2), files).code).toBe(0);
  expect(compared("rows-other", before, after(1), files).said).toContain("sparse.X.columns");
});

test("a case of which only sentences are left is a difference", () => {
  const [before, after] = [
    { "printed.txt": "Nothing matters." },
    { "printed.txt": "None matter." },
  ];
  expect(compared("sentences", before, after).code).toBe(1);
});
