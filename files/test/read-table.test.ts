import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { RatewiseError, type Table } from "@ratewise/core";
import { writeNpy } from "@ratewise/core/data";
import { afterAll, describe, expect, test } from "vitest";
import { readTable, writeNpz, writeParquet } from "../src/index.ts";

const folder = mkdtempSync(join(tmpdir(), "ratewise-tables-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const text = (content: string): Uint8Array => new TextEncoder().encode(content);
const grid = { shape: [2, 2], data: Float64Array.of(1, 2, 3, 4) };
const idx = Uint8Array.of(0, 0, 8, 2, 0, 0, 0, 2, 0, 0, 0, 2, 1, 2, 3, 4);

/** Every format holds the rows (1, 2) and (3, 4). */
const formats: readonly (readonly [string, Uint8Array, readonly string[]])[] = [
  ["table.csv", text("a,b\n1,2\n3,4\n"), ["a", "b"]],
  ["table.tsv", text("a\tb\n1\t2\n3\t4\n"), ["a", "b"]],
  ["table.csv.gz", gzipSync(text("a;b\n1;2\n3;4\n")), ["a", "b"]],
  [
    "table.parquet",
    writeParquet([
      { name: "a", kind: "number", values: [1, 3] },
      { name: "b", kind: "number", values: [2, 4] },
    ]),
    ["a", "b"],
  ],
  ["table.npy", writeNpy(grid), ["x1", "x2"]],
  ["table.npz", writeNpz(new Map([["X", grid]])), ["x1", "x2"]],
  ["table-idx2-ubyte", idx, ["x1", "x2"]],
  ["table.libsvm", text("1 1:2\n3 1:4\n"), ["x1", "label"]],
];

function rowsOf({ rows, columns }: Table): number[][] {
  return Array.from({ length: rows }, (_, i) =>
    columns.map((column) => (column.kind === "number" ? column.values[i] : column.codes[i])),
  );
}

describe("readTable", () => {
  test.each(formats)("reads %s from a path", async (name, bytes, names) => {
    const path = join(folder, name);
    writeFileSync(path, bytes);
    const table = await readTable(path);
    const swapped = name === "table.libsvm";
    expect(rowsOf(table).map((row) => (swapped ? row.toReversed() : row))).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(table.columns.map((column) => column.name)).toEqual(names);
  });

  test.each(formats.filter(([name]) => !/gz|libsvm/.test(name)))(
    "knows %s by its bytes",
    async (_, bytes, names) => {
      const table = await readTable(bytes);
      expect(rowsOf(table)).toEqual([
        [1, 2],
        [3, 4],
      ]);
      expect(table.columns.map((column) => column.name)).toEqual(names);
    },
  );

  test("reads genotypes with the files beside them", async () => {
    const at = (ending: string): string => join(folder, `g.${ending}`);
    // One variant, three samples: two copies of A1, one, none.
    writeFileSync(at("bed"), Uint8Array.of(0x6c, 0x1b, 1, 0b111000));
    writeFileSync(at("bim"), "1 rs7 0 100 A G\n");
    writeFileSync(at("fam"), "f 1 0 0 1 -9\nf 2 0 0 1 -9\nf 3 0 0 1 -9\n");
    const table = await readTable(at("bed"));
    expect(rowsOf(table)).toEqual([[2], [1], [0]]);
    expect(table.columns[0].name).toBe("rs7");
  });

  test("takes names for arrays, and categories for numbers", async () => {
    const table = await readTable(writeNpy(grid), {
      names: ["left", "right"],
      categories: ["left"],
    });
    expect(table.columns).toMatchObject([
      { kind: "category", name: "left", levels: ["1", "3"] },
      { kind: "number", name: "right" },
    ]);
  });

  test("says which file is not there", async () => {
    const path = join(folder, "absent.csv");
    const failure = await readTable(path).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(RatewiseError);
    expect(failure).toMatchObject({ code: "file", message: expect.stringContaining("absent.csv") });
  });

  test("says what it takes where neither name nor bytes tell", async () => {
    const path = join(folder, "table.what");
    writeFileSync(path, "a,b\n1,2\n");
    await expect(readTable(path)).rejects.toThrow(/table\.what: .*\.parquet/);
  });
});
