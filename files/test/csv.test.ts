import { expect, test } from "vitest";
import { parseCsv, readCsv } from "../src/index.ts";

const options = { where: "d.csv" };
const shape = (text: string) => {
  const t = parseCsv(text, options);
  return t.columns.map((c) => [
    c.name,
    c.kind === "number" ? [...c.values] : [...c.codes].map((k) => c.levels[k] ?? null),
  ]);
};

test("reads numbers, texts and missing cells", () => {
  expect(shape("a,b\n1,x\n,y\n3,\n")).toEqual([
    ["a", [1, Number.NaN, 3]],
    ["b", ["x", "y", null]],
  ]);
});

test("finds tabs, semicolons and pipes, takes CRLF, a byte-order mark, blank lines and no last newline", () => {
  const expected = [
    ["a", [1, 3]],
    ["b", [2, 4]],
  ];
  for (const text of ["a\tb\n1\t2\n3\t4", "a;b\r\n1;2\r\n3;4\r\n", "\ufeffa|b\n\n1|2\n3|4\n\n"]) {
    expect(shape(text)).toEqual(expected);
  }
});

test("quoted fields hold commas, quotes and newlines, and later lines keep their numbers", () => {
  expect(shape('a,b\n"x, ""y""\nz",1\nw,2\n')).toEqual([
    ["a", ['x, "y"\nz', "w"]],
    ["b", [1, 2]],
  ]);
  expect(() => parseCsv('a,b\n"x\ny",1\nz\n', options)).toThrow(
    "d.csv, line 4: 1 fields where the header has 2",
  );
});

test("empty, header only, ragged, repeated names and an open quote are errors with their place", () => {
  expect(() => parseCsv("", options)).toThrow("d.csv: the file is empty");
  expect(() => parseCsv("a,b\n", options)).toThrow("header line but no rows");
  expect(() => parseCsv("a,b\n1,2\n1,2,3\n", options)).toThrow(
    "line 3: 3 fields where the header has 2",
  );
  expect(() => parseCsv("a,a\n1,2\n", options)).toThrow('columns 1 and 2 are both named "a"');
  expect(() => parseCsv('a,b\n"1,2\n3,4\n', options)).toThrow("never closed");
});

async function* pieces(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

test("streamed in pieces of any size it is the same table, with progress to the end", async () => {
  const rows = Array.from({ length: 200_000 }, (_, i) => `${i / 7},"tëxt ${i % 3}\n",${i}`);
  const text = `x,"a ""b""",n\n${rows.join("\n")}\n`;
  const whole = parseCsv(text, options);
  expect(whole.rows).toBe(200_000);
  const bytes = new TextEncoder().encode(text);
  for (const size of [65_537, 1_000_003]) {
    const events: number[] = [];
    const streamed = await readCsv(pieces(bytes, size), {
      ...options,
      bytes: bytes.length,
      onProgress: ({ done, total }) => events.push(done / total),
    });
    expect(streamed).toEqual(whole);
    expect(events.length).toBeGreaterThan(1);
    expect(events.at(-1)).toBe(1);
  }
});

test("other encodings are named, and an abort stops the reading", async () => {
  const read = (...bytes: number[]) => readCsv(pieces(Uint8Array.from(bytes), 4), options);
  await expect(read(0xff, 0xfe, 97, 0)).rejects.toThrow("UTF-16");
  await expect(read(97, 10, 0xe9, 10)).rejects.toThrow("not UTF-8 (Latin-1 perhaps)");
  await expect(read(97, 0, 98, 10)).rejects.toThrow("zero bytes");
  const signal = AbortSignal.abort(new Error("stop"));
  await expect(readCsv(pieces(new Uint8Array(4), 4), { ...options, signal })).rejects.toThrow(
    "stop",
  );
});
