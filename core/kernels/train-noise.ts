import { log4, turn4 } from "./train-math";

/** Fourth counter words that keep the two uses apart; the plain version of training has the same. */
const DROPOUT: u32 = 0x64726f70;
const OUTPUT: u32 = 0x6f757470;

/** Philox4x32-10 (Salmon and others 2011): four words for a counter and a key. */
function philox(c0: u32, c1: u32, c2: u32, c3: u32, k0: u32, k1: u32): v128 {
  for (let round = 0; round < 10; round++) {
    const a = <u64>c0 * 0xd2511f53;
    const b = <u64>c2 * 0xcd9e8d57;
    c0 = <u32>(b >> 32) ^ c1 ^ k0;
    c1 = <u32>b;
    c2 = <u32>(a >> 32) ^ c3 ^ k1;
    c3 = <u32>a;
    k0 += 0x9e3779b9;
    k1 += 0xbb67ae85;
  }
  let out = i32x4.splat(c0);
  out = i32x4.replace_lane(out, 1, c1);
  out = i32x4.replace_lane(out, 2, c2);
  return i32x4.replace_lane(out, 3, c3);
}

/** Words to singles in [0, 1), 24 bits each. */
// @ts-ignore: decorator
@inline
function uniform4(words: v128): v128 {
  return f32x4.mul(f32x4.convert_i32x4_s(i32x4.shr_u(words, 8)), f32x4.splat(5.9604644775390625e-8));
}

/** out[i] ← 0 (chance `rate`) or 1/(1 − rate). Writes whole vectors: `out` has room for three more. */
export function dropoutMask(
  count: i32,
  rate: f32,
  stage: u32,
  step: u32,
  k0: u32,
  k1: u32,
  out: usize,
): void {
  const kept = f32x4.splat(1 / (1 - rate));
  const limit = f32x4.splat(rate);
  for (let block = 0; block * 4 < count; block++) {
    const keep = f32x4.ge(uniform4(philox(block, step, stage, DROPOUT, k0, k1)), limit);
    v128.store(out + (<usize>block << 4), v128.and(keep, kept));
  }
}

/** out[i] ← standard normals, Box–Muller on the word pairs of each block. Room for three more. */
export function outputNoise(count: i32, step: u32, k0: u32, k1: u32, out: usize): void {
  for (let block = 0; block * 4 < count; block++) {
    const words = philox(block, step, 0, OUTPUT, k0, k1);
    const u = uniform4(words);
    const first = i32x4.shuffle(u, u, 0, 0, 2, 2);
    const second = i32x4.shuffle(u, u, 1, 1, 3, 3);
    const positive = f32x4.add(first, f32x4.splat(5.9604644775390625e-8));
    const radius = f32x4.sqrt(f32x4.mul(f32x4.splat(-2), log4(positive)));
    const both = i32x4.shuffle(turn4(second, 1), turn4(second, 0), 0, 5, 2, 7);
    v128.store(out + (<usize>block << 4), f32x4.mul(radius, both));
  }
}
