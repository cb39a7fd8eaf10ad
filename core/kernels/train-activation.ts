import { exp4, normal4, sigmoid4, tanh4 } from "./train-math";
import { GELU, IDENTITY, RELU, SIGMOID, TANH } from "./train-program";

/** 1/√(2π). */
const NORMAL_PEAK: f32 = 0.3989422804014327;

/** out ← a(z) for `count` values, whole vectors; z may be out. */
export function activate(kind: i32, count: i32, z: usize, out: usize): void {
  const bytes = <usize>(count * 4);
  for (let at: usize = 0; at < bytes; at += 16) {
    const x = v128.load(z + at);
    let a = x;
    if (kind == RELU) a = f32x4.max(x, f32x4.splat(0));
    else if (kind == TANH) a = tanh4(x);
    else if (kind == GELU) a = f32x4.mul(x, normal4(x, gauss(x)));
    else if (kind == SIGMOID) a = sigmoid4(x);
    v128.store(out + at, a);
  }
}

/** slope ← slope·a′(z), from z or from a = a(z). */
export function multiplySlope(kind: i32, count: i32, z: usize, a: usize, slope: usize): void {
  if (kind == IDENTITY) return;
  const bytes = <usize>(count * 4);
  const one = f32x4.splat(1);
  for (let at: usize = 0; at < bytes; at += 16) {
    let d = v128.load(slope + at);
    const value = v128.load(a + at);
    if (kind == RELU) d = v128.and(d, f32x4.gt(value, f32x4.splat(0)));
    else if (kind == TANH) d = f32x4.mul(d, f32x4.sub(one, f32x4.mul(value, value)));
    else if (kind == SIGMOID) d = f32x4.mul(d, f32x4.mul(value, f32x4.sub(one, value)));
    else {
      const x = v128.load(z + at);
      const e = gauss(x);
      const density = f32x4.mul(f32x4.mul(x, e), f32x4.splat(NORMAL_PEAK));
      d = f32x4.mul(d, f32x4.add(normal4(x, e), density));
    }
    v128.store(slope + at, d);
  }
}

/** out ← out·factor, whole vectors. */
export function multiplyInto(count: i32, factor: usize, out: usize): void {
  const bytes = <usize>(count * 4);
  for (let at: usize = 0; at < bytes; at += 16)
    v128.store(out + at, f32x4.mul(v128.load(out + at), v128.load(factor + at)));
}

/** e^(−x²/2). */
// @ts-ignore: decorator
@inline
function gauss(x: v128): v128 {
  return exp4(f32x4.mul(f32x4.mul(x, x), f32x4.splat(-0.5)));
}
