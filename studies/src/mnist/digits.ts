import { type Matrix, matrix, RatewiseError } from "@ratewise/core";
import { readIdx } from "@ratewise/core/data";
import type { Rows } from "@ratewise/core/network";
import type { DataFolder } from "../study/data-folder.ts";

/** Written digits as rows of 324 numbers from 0 (paper) to 1 (ink). */
export interface Digits {
  readonly X: Rows & { readonly data: Float32Array };
  /** 0 … 9. */
  readonly digit: Uint8Array;
}

export interface DigitFiles {
  readonly train: Digits;
  readonly test: Digits;
}

const WHOLE = 28;
/** The paper's images have 18×18 pixels "after cropping": the middle, where the digits are. */
export const SIDE = 18;
const MARGIN = (WHOLE - SIDE) / 2;

/** The 60,000 and 10,000 digits of LeCun, Cortes and Burges. */
export async function readDigits(data: DataFolder): Promise<DigitFiles> {
  return { train: await readHalf(data, "train"), test: await readHalf(data, "t10k") };
}

async function readHalf(data: DataFolder, half: string): Promise<Digits> {
  const images = readIdx(await data.bytes(`mnist/${half}-images-idx3-ubyte.gz`));
  const labels = readIdx(await data.bytes(`mnist/${half}-labels-idx1-ubyte.gz`));
  const [count, height, width] = images.shape;
  if (height !== WHOLE || width !== WHOLE || labels.data.length !== count)
    throw new RatewiseError("parse", {
      at: "study mnist",
      what: `needs images of ${WHOLE}×${WHOLE} and a label each, got ${images.shape.join("×")} and ${labels.data.length} labels`,
    });
  return { X: cropped(images.data, count), digit: Uint8Array.from(labels.data) };
}

/** The middle of each image. */
export function cropped(
  pixels: ArrayLike<number>,
  count: number,
): Rows & { readonly data: Float32Array } {
  const data = new Float32Array(count * SIDE * SIDE);
  let at = 0;
  for (let i = 0; i < count; i++)
    for (let y = MARGIN; y < MARGIN + SIDE; y++)
      for (let x = MARGIN; x < MARGIN + SIDE; x++)
        data[at++] = pixels[(i * WHOLE + y) * WHOLE + x] / 255;
  return { data, rows: count, cols: SIDE * SIDE };
}

/** Some images, in the order given. */
export function imagesAt(
  { data, cols }: Digits["X"],
  rows: ArrayLike<number>,
): Rows & { readonly data: Float32Array } {
  const out = new Float32Array(rows.length * cols);
  for (let i = 0; i < rows.length; i++)
    out.set(data.subarray(rows[i] * cols, (rows[i] + 1) * cols), i * cols);
  return { data: out, rows: rows.length, cols };
}

/** In double precision, for learners. */
export function asMatrix({ data, rows, cols }: Rows): Matrix {
  return matrix(rows, cols, Float64Array.from(data));
}
