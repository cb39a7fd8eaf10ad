import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { writeNpy } from "@ratewise/core/data";
import type { ExplainDocument } from "@ratewise/core/explain";
import { writeParquet } from "@ratewise/files";
import { describe, expect, test } from "vitest";
import type { Io } from "../src/io.ts";
import { writeFolder } from "../src/output/atomic-folder.ts";
import { run, temporaryFolder } from "./support/run.ts";
import { writePlink, writeTableFiles } from "./support/table-files.ts";

type Files = Readonly<Record<string, string | Uint8Array>>;
const target = ["--target", "y"];
const rows = Array.from({ length: 30 }, (_, i) => `${i % 7},${(3 * i) % 11},${i * 1.5}`);
const table = (...changes: [number, string][]): string => {
  const lines = [...rows];
  for (const [at, line] of changes) lines[at] = line;
  return `a,b,y\n${lines.join("\n")}\n`;
};
const bytesOf = (text: string, encoding: BufferEncoding): Uint8Array =>
  new Uint8Array(Buffer.from(text, encoding));

/** A folder with somebody's result in it, and how it looks. */
function occupied(): { here: string; out: string; look: () => unknown } {
  const here = temporaryFolder();
  const out = join(here, "out");
  mkdirSync(out);
  writeFileSync(join(out, "result.json"), "{}");
  const look = () => readdirSync(here).map((name) => [name, name === "out" ? readdirSync(out) : 0]);
  return { here, out, look };
}

const cases: [string, Files, string[], string | RegExp][] = [
  ["a missing file", {}, ["d.csv", ...target], "d.csv: there is no such file"],
  ["an empty file", { "d.csv": "" }, ["d.csv", ...target], "d.csv: the file is empty"],
  [
    "a header alone",
    { "d.csv": "a,b,y\n" },
    ["d.csv", ...target],
    "d.csv: there is a header line but no rows",
  ],
  [
    "a ragged line",
    { "d.csv": table([4, "1,2"]) },
    ["d.csv", ...target],
    "d.csv, line 6: 2 fields where the header has 3",
  ],
  [
    "a name twice",
    { "d.csv": "a,y,a\n1,2,3\n" },
    ["d.csv", ...target],
    'd.csv, line 1: columns 1 and 3 are both named "a"; rename one of them',
  ],
  [
    "a target that is not there",
    { "d.csv": table() },
    ["d.csv", "--target", "z"],
    'd.csv: no column "z"; the columns are a, b, y',
  ],
  [
    "a constant target",
    { "d.csv": "a,b,y\n1,2,5\n3,4,5\n" },
    ["d.csv", ...target],
    'd.csv: the target "y" is "5" in every row',
  ],
  [
    "a target missing everywhere",
    { "d.csv": "a,b,y\n1,2,\n3,4,NA\n" },
    ["d.csv", ...target],
    'd.csv: the target "y" is missing in every row',
  ],
  [
    "text in a column of numbers, at the first line that has it",
    { "d.csv": table([7, "1,oops,3"], [20, "1,again,3"]) },
    ["d.csv", ...target],
    'd.csv, line 9: column "b" holds numbers, but this cell holds "oops"',
  ],
  [
    "the same beyond the rows that decide",
    {
      "d.csv": `a,b,y\n${Array.from({ length: 1500 }, (_, i) => `${i % 7},${i % 5},${i === 1200 ? "?!" : i}`).join("\n")}`,
    },
    ["d.csv", ...target],
    'd.csv, line 1202: column "y" holds numbers, but this cell holds "?!"',
  ],
  [
    "one row",
    { "d.csv": "a,b,y\n1,2,3.5\n" },
    ["d.csv", ...target],
    "d.csv: needs at least 10 usable rows, got 1",
  ],
  [
    "two rows",
    { "d.csv": "a,b,y\n1,2,3.5\n2,3,4\n" },
    ["d.csv", ...target],
    "d.csv: needs at least 10 usable rows, got 2",
  ],
  [
    "UTF-16",
    { "d.csv": bytesOf(`\ufeff${table()}`, "utf16le") },
    ["d.csv", ...target],
    "d.csv: the text is UTF-16; save it as UTF-8",
  ],
  [
    "UTF-16 without a mark",
    { "d.csv": bytesOf(table(), "utf16le") },
    ["d.csv", ...target],
    "d.csv: holds zero bytes",
  ],
  [
    "Latin-1",
    { "d.csv": bytesOf("name,b,y\nMüller,1,2\nJosé,3,4\n", "latin1") },
    ["d.csv", ...target],
    "d.csv, line 2: the text is not UTF-8 (Latin-1 perhaps)",
  ],
  [
    "decimal commas",
    { "d.csv": "a;b;y\n1;2;3\n1,5;2;3\n2,5;3;4\n" },
    ["d.csv", ...target],
    'd.csv, line 3: column "a" holds numbers with commas, such as "1,5"; write decimals with a point',
  ],
  [
    "an open quote",
    { "d.csv": 'a,b,y\n"1,2,3\n4,5,6\n' },
    ["d.csv", ...target],
    "d.csv: a quotation mark that is opened is never closed",
  ],
  [
    "an infinite number",
    { "d.csv": table([2, "1,inf,3"]) },
    ["d.csv", ...target],
    'd.csv, line 4: column "b" holds inf; only finite numbers',
  ],
  [
    "a missing value that was forbidden",
    { "d.csv": table([3, "1,,3"]) },
    ["d.csv", ...target, "--missing", "error"],
    'd.csv: needs every value, but "b" is missing in row 4',
  ],
  [
    "a damaged gzip",
    { "d.csv.gz": gzipSync(table()).fill(7, 40, 60) },
    ["d.csv.gz", ...target],
    /d\.csv\.gz: needs /,
  ],
  [
    "a gzip cut off",
    { "d.csv.gz": gzipSync(table()).subarray(0, -20) },
    ["d.csv.gz", ...target],
    /d\.csv\.gz: needs /,
  ],
  [
    "text under the name of a gzip",
    { "d.csv.gz": table() },
    ["d.csv.gz", ...target],
    /d\.csv\.gz: needs /,
  ],
  [
    "text under the name of a Parquet file",
    { "d.parquet": table() },
    ["d.parquet", ...target],
    "d.parquet: needs a whole Parquet file",
  ],
  [
    "a Parquet file cut off",
    { "d.parquet": writeParquet([{ name: "y", kind: "number", values: [1, 2] }]).subarray(0, -20) },
    ["d.parquet", ...target],
    "d.parquet: needs a whole Parquet file",
  ],
  [
    "a damaged Parquet file",
    {
      "d.parquet": writeParquet(
        ["a", "b", "y"].map((name, c) => ({
          name,
          kind: "number",
          values: Array.from({ length: 200 }, (_, i) => (i * (c + 3)) % 17),
        })),
      ).fill(0xee, 20, 60),
    },
    ["d.parquet", ...target],
    /d\.parquet: /,
  ],
  [
    "an array of one dimension",
    { "x.npy": writeNpy({ shape: [3], data: Float64Array.of(1, 2, 3) }) },
    ["x.npy", ...target],
    "x.npy: needs rows and columns, got shape (3)",
  ],
  [
    "a response of another length",
    {
      "x.npy": writeNpy({ shape: [3, 2], data: new Float64Array(6) }),
      "y.npy": writeNpy({ shape: [2], data: new Float64Array(2) }),
    },
    ["x.npy", "--target", "y.npy"],
    "y.npy: needs one value per row, 3 in all, got shape (2)",
  ],
  [
    "LIBSVM with a slip",
    { "d.libsvm": "1 1:2\n2 1;2\n" },
    ["d.libsvm"],
    'd.libsvm, line 2: needs index:value with numbers on both sides, got "1;2"',
  ],
  [
    "IDX cut off",
    { "x-idx3-ubyte": Uint8Array.of(0, 0, 8, 3, 0, 0, 0, 9) },
    ["x-idx3-ubyte", ...target],
    "x-idx3-ubyte: needs 16 bytes of header, got 8",
  ],
  [
    "bytes of no kind",
    { "d.bin": Uint8Array.of(1, 2, 3) },
    ["d.bin", ...target],
    "d.bin: neither the ending nor the first bytes say what this is",
  ],
];

describe("a table that cannot be used: exit code 1, the place in the message, the output folder as it was", () => {
  test.each(cases)("%s", async (_, files, argv, message) => {
    const { here, out, look } = occupied();
    for (const [name, content] of Object.entries(files)) writeFileSync(join(here, name), content);
    const before = look();
    const local = argv.map((word) =>
      /\.(csv|gz|parquet|npy|libsvm|bin)$|ubyte$/.test(word) ? join(here, word) : word,
    );
    const { code, out: printed, err } = await run(["explain", ...local, "--out", out]);
    expect([code, printed]).toEqual([1, ""]);
    const said = err.replaceAll(`${here}/`, "");
    if (typeof message === "string") expect(said).toContain(message);
    else expect(said).toMatch(message);
    expect(said).not.toMatch(/\n\s+at |itself/);
    expect(look()).toEqual(before);
  });
});

describe("genotypes that do not belong together", () => {
  const refuse = async (change: (here: string) => void, message: string, ...more: string[]) => {
    const { here, out, look } = occupied();
    const bed = writePlink(
      here,
      "g",
      [Array(12).fill(1), Array(12).fill(2)],
      (i) => `${1 + (i % 2)}`,
    );
    change(here);
    const before = look();
    const argv = more.map((word) => word.replace("HERE", here));
    const { code, out: printed, err } = await run(["explain", bed, ...argv, "--out", out]);
    expect([code, printed, look()]).toEqual([1, "", before]);
    expect(err.replaceAll(`${here}/`, "")).toContain(message);
  };
  const append = (name: string, text: string) => (here: string) => {
    writeFileSync(join(here, name), text, { flag: "a" });
  };

  test.each([
    [
      "a .bed of another size",
      append("g.bed", "x"),
      "g.bed: needs 9 bytes for the 12 samples of the .fam and the 2 variants of the .bim file, got 10",
    ],
    [
      "a .fam with a sample more",
      append("g.fam", "f s99 0 0 1 1\nf s98 0 0 1 1\n"),
      "g.bed: needs 11 bytes for the 14 samples",
    ],
    ["a .fam with a short line", append("g.fam", "f s99\n"), "g.fam, line 13: needs 6 fields"],
    [
      "a .bim with a strange position",
      append("g.bim", "1 rs 0 here A G\n"),
      'g.bim, line 3: needs a whole number as the position, got "here"',
    ],
  ])("%s", (_, change, message) => refuse(change, message));

  test.each([".fam", ".bim"])("no %s beside it", (extension) =>
    refuse(
      (here) => rmSync(join(here, `g${extension}`)),
      `g${extension}: there is no such file; g.bed needs a .bim and a .fam of the same name beside it`,
    ),
  );

  const pheno = (text: string) => append("p.txt", text);
  const asked = ["--pheno", "HERE/p.txt", "--trait", "bmi"];
  test.each([
    ["phenotypes without IID", "id bmi\ns1 2\n", "p.txt, line 1: needs a column IID"],
    [
      "phenotypes of others",
      "IID bmi\nzz 2\n",
      "p.txt: needs samples of the .fam file, got none of its 12",
    ],
    [
      "a sample twice",
      "IID bmi\ns1 2\ns1 3\n",
      "p.txt, line 3: needs every sample once, got s1 again",
    ],
    ["no such trait", "IID bmx\ns1 2\n", 'p.txt: there is no column "bmi"; did you mean "bmx"?'],
  ])("%s", (_, text, message) => refuse(pheno(text), message, ...asked));
});

test("a table too big for memory is refused before it is read", async () => {
  const { here, out, look } = occupied();
  const files = writeTableFiles(here);
  const bed = writePlink(here, "g", Array(50).fill(Array(100).fill(1)), (i) => `${1 + (i % 2)}`);
  const before = look();
  for (const argv of [files.csv, files.parquet, files.npy, files.libsvm, files.idx, [bed]]) {
    const { code, err } = await run(["explain", ...argv, "--out", out], { memory: 4000 });
    expect([code, err.split("\n").length]).toEqual([1, 2]);
    expect(err).toMatch(
      /too big for memory: it needs about .* GiB, this machine has .* GiB; take fewer rows or columns/,
    );
  }
  expect(look()).toEqual(before);
});

describe("odd tables that can be read", () => {
  const here = temporaryFolder();
  const read = async (name: string, content: string | Uint8Array): Promise<unknown> => {
    writeFileSync(join(here, name), content);
    const { code, out } = await run(["inspect", join(here, name), "--json"]);
    expect(code).toBe(0);
    const { rows: count, columns } = JSON.parse(out);
    return [count, columns.map((c: { name: string; kind: string }) => [c.name, c.kind])];
  };
  const expected = [
    30,
    [
      ["a", "number"],
      ["b", "number"],
      ["y", "number"],
    ],
  ];
  test.each([
    ["a byte order mark", `\ufeff${table()}`],
    ["CRLF", table().replaceAll("\n", "\r\n")],
    ["old Mac line ends", table().replaceAll("\n", "\r")],
    ["a quoted newline", `${table().replace("a,b,y", '"a",b,"y"')}`],
    ["no last newline and empty lines", `${table()}\n\n1,2,3`.replace(/\n1,2,3$/, "")],
  ])("%s", async (_, content) => {
    expect(await read("odd.csv", content)).toEqual(expected);
  });
  test("newlines inside quotes", async () => {
    const text = `"first\nname",b\n${Array.from({ length: 12 }, (_, i) => `"x\ny${i % 2}",${i % 5}`).join("\n")}\n`;
    expect(await read("newlines.csv", text)).toEqual([
      12,
      [
        ["first\nname", "category"],
        ["b", "number"],
      ],
    ]);
  });
});

describe("hostile names are inert", () => {
  const hostile = ["<script>alert(1)</script>", "=cmd()", "\u001b[31mred\u001b]0;title\u0007"];
  test("in the terminal, in CSV and in figures; result.json keeps them", async () => {
    const here = temporaryFolder();
    const path = join(here, "d.csv");
    const header = [...hostile, "y"].map((name) => `"${name}"`).join(",");
    const lines = Array.from(
      { length: 60 },
      (_, i) => `${(7 * i) % 11},${(3 * i) % 13},${(5 * i) % 17},${(7 * i) % 11}`,
    );
    writeFileSync(path, `${header}\n${lines.join("\n")}\n`);
    const out = join(here, "out");
    const {
      code,
      out: printed,
      err,
    } = await run(["explain", path, ...target, "--hidden", "4", "--out", out]);
    expect([code, err]).toEqual([0, expect.any(String)]);
    expect(`${printed}${err}`.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(printed).toContain("\\u{1b}[31mred");
    const { variables } = JSON.parse(
      readFileSync(join(out, "result.json"), "utf8"),
    ) as ExplainDocument;
    expect(variables.map(({ name }) => name)).toEqual(hostile);
    const csv = readFileSync(join(out, "importance.csv"), "utf8");
    expect(csv).toContain(`"'=cmd()",`);
    const inspected = await run(["inspect", path, ...target]);
    expect(inspected.out.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    for (const name of readdirSync(out, { recursive: true, encoding: "utf8" }))
      if (/\.(svg|html)$/.test(name))
        expect(readFileSync(join(out, name), "utf8")).not.toContain("<script>alert(1)");
  });
});

describe("what cannot be written", () => {
  test("a read-only folder is refused before the work", async () => {
    const here = mkdtempSync(join(tmpdir(), "ratewise-"));
    writeFileSync(join(here, "d.csv"), table());
    mkdirSync(join(here, "shut"));
    chmodSync(here, 0o555);
    chmodSync(join(here, "shut"), 0o555);
    // Nothing is read-only for root: somebody else tries.
    const root = process.getuid?.() === 0;
    if (root) process.seteuid?.(65534);
    try {
      for (const out of [join(here, "shut"), join(here, "new")]) {
        const {
          code,
          out: printed,
          err,
        } = await run(["explain", join(here, "d.csv"), ...target, "--out", out]);
        expect([code, printed]).toEqual([1, ""]);
        expect(err).toBe(`ratewise: ${out}: may not be read or written (permission denied)\n`);
      }
    } finally {
      if (root) process.seteuid?.(0);
    }
    expect(readdirSync(here)).toEqual(["d.csv", "shut"]);
  });

  test("a disk that fills up leaves the old result and nothing else", async () => {
    const { here, out, look } = occupied();
    writeFileSync(join(here, "d.csv"), table());
    const before = look();
    const full: Io["writeFolder"] = (path, files) => {
      const [first] = files;
      function* pieces(): Generator<string | Uint8Array> {
        yield* first.pieces;
        throw Object.assign(new Error("write"), { code: "ENOSPC" });
      }
      return writeFolder(path, [{ path: first.path, pieces: pieces() }]);
    };
    const {
      code,
      out: printed,
      err,
    } = await run(["explain", join(here, "d.csv"), ...target, "--out", out], { writeFolder: full });
    expect([code, printed]).toEqual([1, ""]);
    expect(err).toContain("the disk is full");
    expect(look()).toEqual(before);
    expect(readFileSync(join(out, "result.json"), "utf8")).toBe("{}");
  });
});
