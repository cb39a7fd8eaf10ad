import { parseBim, type RateResult, variantNames } from "@ratewise/core";
import { describe, expect, test } from "vitest";
import { bimNames } from "../src/stream/bim-names.ts";
import { importanceMap } from "../src/stream/importance-map.ts";
import { bytesText, memoryOption } from "../src/stream/memory-option.ts";
import { timeText } from "../src/stream/plan-text.ts";

describe("names of variants without an object a line", () => {
  test("are those with one, also where ids repeat or are missing", () => {
    const lines = [
      "1 rs1 0 100 A G",
      "1\trs2\t0\t200\tC\tT",
      "1 . 0 300 A C",
      "2 rs2 0 400 G T",
      "2 . 0 500 A C",
      "2 . 0 500 A C",
      "X rs9 0 0 A G",
    ];
    const text = `${lines.join("\n")}\r\n\n`;
    expect(bimNames(text, "x.bim")).toEqual(variantNames(parseBim(text, "x.bim")));
    expect(new Set(bimNames(text, "x.bim")).size).toBe(7);
  });

  test("stay apart from ids that look like places", () => {
    const text = "1 1:5:A:G 0 9 A C\n1 . 0 5 A G\n";
    expect(bimNames(text, "x.bim")).toEqual(["1:5:A:G", "1:5:A:G:2"]);
  });

  test("name the line that is short, and a file that is empty", () => {
    expect(() => bimNames("1 rs1 0 100 A G\n1 rs2\n", "x.bim")).toThrow(
      "x.bim, line 2: needs 6 fields (chromosome, name, centimorgans, position, two alleles), got 2",
    );
    expect(() => bimNames("\n", "x.bim")).toThrow("x.bim: the file is empty");
  });
});

test("amounts of memory are read and written", () => {
  const of = (text: string) => memoryOption("stream", text, 0);
  expect(["4GB", "4g", "1.5GiB", "800MB", "1024"].map(of)).toEqual([
    4 * 2 ** 30,
    4 * 2 ** 30,
    1.5 * 2 ** 30,
    800 * 2 ** 20,
    1024,
  ]);
  expect(memoryOption("stream", undefined, 4000)).toBe(3000);
  expect(() => of("4 elephants")).toThrow("--memory needs an amount such as 4GB or 800MB");
  expect([500, 3 * 2 ** 20, 5.5 * 2 ** 30].map(bytesText)).toEqual(["1 KB", "3 MB", "5.5 GB"]);
  expect([0.3, 59.2, 600, 9000].map(timeText)).toEqual([
    "a second",
    "60 seconds",
    "10 minutes",
    "2.5 hours",
  ]);
});

describe("a map of importance", () => {
  const resultOf = (rate: number[]) =>
    ({ variables: { rate: Float64Array.from(rate) } }) as unknown as RateResult;
  const pngSize = (files: ReturnType<typeof importanceMap>) => {
    const bytes = Buffer.from([...files[1].pieces][0] as Uint8Array);
    return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  };

  test("has the width and height of the images, wherever their colours stand", () => {
    const rate = Array.from({ length: 24 }, (_, e) => e / 276);
    expect(pngSize(importanceMap(resultOf(rate), [4, 6]))).toEqual([6, 4]);
    expect(pngSize(importanceMap(resultOf(rate), [2, 3, 4]))).toEqual([4, 3]);
    expect(pngSize(importanceMap(resultOf(rate), [3, 4, 2]))).toEqual([4, 3]);
  });

  test("is none of rows that are no images", () => {
    expect(importanceMap(resultOf([0.5, 0.5]), [2])).toEqual([]);
  });
});
