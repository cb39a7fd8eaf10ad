import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { multiplyGenotypes } from "../../src/compute/index.ts";
import { genotypesOf, parseBim, parseFam, readBed, variantNames } from "../../src/data/index.ts";

/** The example of PLINK's own format page: 6 samples, 3 variants. */
const bytes = Uint8Array.of(0x6c, 0x1b, 1, 0xdc, 0x0f, 0xe7, 0x0f, 0x6b, 1);

test("decodes the example of PLINK's format page", () => {
  const genotypes = readBed(bytes, 6, 3);
  const missing = Number.NaN;
  expect([0, 1, 2].map((variant) => [...genotypesOf(genotypes, variant)])).toEqual([
    [2, 0, missing, 0, 0, 0],
    [0, missing, 1, 0, 0, 0],
    [0, 1, 1, missing, missing, 2],
  ]);
});

test("agrees with the kernel that multiplies by the two bits", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 1, max: 4 }),
      fc.infiniteStream(fc.nat(255)),
      (samples, snps, stream) => {
        const size = snps * Math.ceil(samples / 4);
        const bed = Uint8Array.from({ length: size }, () => stream.next().value as number);
        const genotypes = readBed(Uint8Array.of(0x6c, 0x1b, 1, ...bed), samples, snps);
        const kernel = multiplyGenotypes(genotypes, new Float64Array(samples).fill(1), 1);
        for (let j = 0; j < snps; j++) {
          const observed = genotypesOf(genotypes, j).filter((copies) => !Number.isNaN(copies));
          expect(kernel.sum[j]).toBe(observed.reduce((sum, copies) => sum + copies, 0));
          expect(kernel.missing[j]).toBe(samples - observed.length);
        }
      },
    ),
    { seed: 1, numRuns: 100 },
  );
});

describe("a .bed file that is none, or belongs to others", () => {
  test.each([
    ["a text", new TextEncoder().encode("chr1\t1\t2\tgene\n"), /needs the bytes 6c 1b 01/],
    ["sample-major order", Uint8Array.of(0x6c, 0x1b, 0, 1, 2), /third byte 1\), got 0/],
    ["too short", bytes.subarray(0, 8), /needs 9 bytes for the 6 samples .* 3 variants .*got 8/],
    ["too long", Uint8Array.of(...bytes, 0), /needs 9 bytes .*got 10/],
    ["nothing", new Uint8Array(0), /needs the bytes/],
  ])("%s", (_, content, message) => {
    expect(() => readBed(content, 6, 3)).toThrow(message);
  });
  test("a variant past the end", () => {
    expect(() => genotypesOf(readBed(bytes, 6, 3), 3)).toThrow("needs a variant below 3, got 3");
  });
});

test("reads .fam and .bim with blanks or tabs, and says which line is wrong", () => {
  expect(parseFam("f1 i1 0 0 1 2\r\nf1\ti2\t0 0 2 -9\n", "x.fam")).toEqual([
    { family: "f1", individual: "i1", phenotype: "2" },
    { family: "f1", individual: "i2", phenotype: "-9" },
  ]);
  expect(parseBim("X\trs1\t0.5\t77\tG\tA\n1 . 0 -5 T C\n", "x.bim")).toEqual([
    { chromosome: "X", id: "rs1", position: 77, allele1: "G", allele2: "A" },
    { chromosome: "1", id: ".", position: 0, allele1: "T", allele2: "C" },
  ]);
  expect(() => parseFam("f1 i1 0 0 1 2\nf1 i2 0\n", "x.fam")).toThrow(
    "x.fam, line 2: needs 6 fields (family, individual, father, mother, sex, phenotype), got 3",
  );
  expect(() => parseBim("1 rs1 0 here A G\n", "x.bim")).toThrow(
    'x.bim, line 1: needs a whole number as the position, got "here"',
  );
  expect(() => parseBim("\n", "x.bim")).toThrow("x.bim: the file is empty");
});

test("names of variants differ, whatever the file calls them", () => {
  const variants = parseBim("1 rs1 0 5 A G\n1 . 0 6 A G\n2 rs2 0 7 A G\n2 rs2 0 7 A G\n", "x.bim");
  expect(variantNames(variants)).toEqual(["rs1", "1:6:A:G", "2:7:A:G", "2:7:A:G:4"]);
});
