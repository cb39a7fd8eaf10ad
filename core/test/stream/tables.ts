import { writeNpy } from "../../src/data/index.ts";
import { bytesInMemory } from "../../src/host/byte-source.ts";
import { type Matrix, matrix } from "../../src/linalg/index.ts";
import { fold, keyFromSeed, normals, uniforms } from "../../src/random/index.ts";
import { type BlockSource, bedSource, npySource } from "../../src/stream/index.ts";

/** n×p standard normal numbers. */
export function numbers(seed: number, label: string, n: number, p: number): Matrix {
  const next = normals(fold(keyFromSeed(seed), label));
  return matrix(n, p, Float64Array.from({ length: n * p }, next));
}

/** Genotypes at random as the bytes of a .bed file, and as copies of the first allele, missing ones at their variant's mean. */
export function genotypes(seed: number, samples: number, snps: number, missing = 0.1) {
  const next = uniforms(fold(keyFromSeed(seed), "genotypes"));
  const stride = Math.ceil(samples / 4);
  const bytes = new Uint8Array(3 + snps * stride);
  bytes.set([0x6c, 0x1b, 1]);
  const X = matrix(samples, snps);
  const copies = [2, Number.NaN, 1, 0];
  for (let s = 0; s < snps; s++) {
    let sum = 0;
    let observed = 0;
    const column = Array.from({ length: samples }, (_, i) => {
      const code = next() < missing ? 1 : [0, 2, 3][Math.floor(3 * next())];
      bytes[3 + s * stride + (i >> 2)] |= code << (2 * (i & 3));
      if (code !== 1) {
        sum += copies[code];
        observed++;
      }
      return copies[code];
    });
    column.forEach((value, i) => {
      X.data[i * snps + s] = Number.isNaN(value) ? (observed > 0 ? sum / observed : 0) : value;
    });
  }
  return { bytes, X };
}

export async function bedOf(
  bytes: Uint8Array,
  samples: number,
  snps: number,
): Promise<BlockSource> {
  return bedSource(bytesInMemory(bytes), { where: "x.bed", samples, snps });
}

/** A .npy file of X in memory, row-major. */
export async function npyOf({ data, rows, cols }: Matrix): Promise<BlockSource> {
  return npySource(bytesInMemory(writeNpy({ shape: [rows, cols], data })), { where: "x.npy" });
}

/** A .npy file with a header of one's own and numbers as `write` puts them. */
export function rawNpy(
  descr: string,
  fortran: boolean,
  shape: readonly number[],
  size: number,
  write: (view: DataView, at: number, element: number) => void,
): Uint8Array {
  const count = shape.reduce((product, n) => product * n, 1);
  const text = `{'descr': '${descr}', 'fortran_order': ${fortran ? "True" : "False"}, 'shape': (${shape.join(", ")}), }`;
  const head = Math.ceil((10 + text.length + 1) / 64) * 64;
  const bytes = new Uint8Array(head + count * size).fill(0x20, 10, head);
  bytes.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0]);
  const view = new DataView(bytes.buffer);
  view.setUint16(8, head - 10, true);
  for (let i = 0; i < text.length; i++) bytes[10 + i] = text.charCodeAt(i);
  for (let e = 0; e < count; e++) write(view, head + e * size, e);
  return bytes;
}
