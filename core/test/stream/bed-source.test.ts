import { describe, expect, test } from "vitest";
import { bytesInMemory } from "../../src/host/byte-source.ts";
import { bedSource, blockRoom } from "../../src/stream/index.ts";

/** 400 variants of 61 samples, 16 bytes each: the last byte holds one sample. */
const [samples, snps, stride] = [61, 400, 16];
const bytesOf = (variants: number) =>
  Uint8Array.from({ length: 3 + variants * stride }, (_, at) =>
    at < 3 ? [0x6c, 0x1b, 1][at] : (at - 2) % stride === 0 ? 3 : 0b10110010,
  );
const whole = bytesOf(snps);
const open = (bytes: Uint8Array, n: number, p: number) =>
  bedSource(bytesInMemory(bytes), { where: "x.bed", samples: n, snps: p });

describe("three files that do not belong together are refused before anything is read", () => {
  test.each([
    [
      "a .bed file cut within a variant",
      whole.length - 5,
      samples,
      snps,
      "the .bed file is cut off",
    ],
    [
      "a .bed file cut between variants",
      whole.length - 2 * stride,
      samples,
      snps,
      "it holds 398 variants of 61 samples: the .bim file has 2 lines too many, or the .bed file is cut off",
    ],
    [
      "a .bim file with a line twice",
      whole.length,
      samples,
      snps + 1,
      "needs 6419 bytes for the 61 samples of the .fam and the 401 variants of the .bim file, got 6403; it holds 400 variants of 61 samples: the .bim file has 1 line too many",
    ],
    [
      "a .bim file with a line less",
      whole.length,
      samples,
      snps - 1,
      "the .bim file has 1 line too few",
    ],
    [
      "a .fam file with a line less",
      whole.length,
      samples - 1,
      snps,
      "it holds 400 variants of 61 to 64 samples: the .fam file has too few lines",
    ],
    [
      "a .fam file with lines too many",
      whole.length,
      samples + 4,
      snps,
      "it holds 400 variants of 61 to 64 samples: the .fam file has too many lines",
    ],
  ])("%s", async (_, size, n, p, message) => {
    await expect(open(whole.subarray(0, size), n, p)).rejects.toThrow(message);
  });

  test("and the whole ones are not", async () => {
    expect(await open(whole, samples, snps)).toMatchObject({ rows: samples, columns: snps });
  });
});

describe("bits after the last sample", () => {
  const message =
    /^x\.bed: needs zero bits after the last of 61 samples, got others at variant \d+ \(counted from 0\); the \.fam file has one to three lines fewer/;

  test("show a .fam file that lost a line, although the size is right", async () => {
    const more = whole.slice();
    for (let j = 0; j < snps; j++) more[3 + (j + 1) * stride - 1] = 0b1011; // two samples
    await expect(open(more, samples, snps)).rejects.toThrow(message);
    expect(await open(more, samples + 1, snps)).toMatchObject({ rows: 62 });
  });

  test("are looked at in every variant when it is read", async () => {
    const one = bytesOf(2000);
    one[3 + (333 + 1) * stride - 1] = 0b1011; // not among those that opening looks at
    const source = await open(one, samples, 2000);
    await expect(source.readColumns({ start: 300, end: 340 }, blockRoom())).rejects.toThrow(
      "at variant 333",
    );
    await source.readColumns({ start: 334, end: 400 }, blockRoom());
  });
});
