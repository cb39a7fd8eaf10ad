import { transpose } from "./transpose";
import { activate, multiplyInto, multiplySlope } from "./train-activation";
import { dropoutMask } from "./train-noise";
import { convolutionBackward, convolutionForward } from "./train-convolution";
import { barrier, leads, shareEnd, shareStart } from "./train-crew";
import { normalise, normaliseBackward, pool } from "./train-image";
import { columnSums, isLarge, product, productShared } from "./train-product";
import { CONVOLUTION, DENSE, DROPOUT, FLATTEN, GELU, IDENTITY, NORMALISATION, Program, Stage } from "./train-program";

/** One stage forward on `rows` rows. @returns where its output lies, complete after a barrier. */
export function stageForward(
  program: Program,
  stage: Stage,
  at: i32,
  input: usize,
  rows: i32,
  training: bool,
): usize {
  // Once a stage and batch, so that what follows may take the last of a list for all the others.
  if (<u32>stage.kind > <u32>NORMALISATION || <u32>stage.activation > <u32>IDENTITY) unreachable();
  const count = rows * stage.units;
  if (stage.kind == DROPOUT) {
    if (!training) return input;
    const mask = stage.before;
    if (!leads()) return stage.output;
    dropoutMask(count, stage.rate, at, program.noiseStep, program.k0, program.k1, mask);
    memory.copy(stage.output, input, <usize>(count * 4));
    multiplyInto(count, mask, stage.output);
    return stage.output;
  }
  if (stage.kind == FLATTEN) return input;
  if (stage.kind > FLATTEN) {
    imageForward(program, stage, input, rows, training);
    return stage.output;
  }
  const theta = program.theta;
  const weights = theta + <usize>(stage.weights * 4);
  const bias = theta + <usize>(stage.bias * 4);
  // Only GELU's slope needs what was before the activation; the others overwrite it.
  const before = stage.activation == GELU ? stage.before : stage.output;
  if (stage.kind == DENSE)
    product(rows, stage.units, stage.inputs, input, stage.inputs, 1, weights, bias, before);
  else if (leads()) maskedForward(program, stage, input, rows, weights, bias, before);
  barrier(program);
  if (leads()) activate(stage.activation, count, before, stage.output);
  return stage.output;
}

/**
 * One stage backward: writes its gradient, turns dL/doutput in `slope` into dL/dz, and writes
 * dL/dinput to `out` unless that is 0.
 */
export function stageBackward(
  program: Program,
  stage: Stage,
  input: usize,
  rows: i32,
  slope: usize,
  out: usize,
): void {
  if (stage.kind > FLATTEN) return imageBackward(program, stage, input, rows, slope, out);
  const units = stage.units;
  const inputs = stage.inputs;
  const count = rows * units;
  if (leads()) {
    multiplySlope(stage.activation, count, stage.before, stage.output, slope);
    columnSums(rows, units, slope, program.gradient + <usize>(stage.bias * 4));
  }
  barrier(program);
  const gradient = program.gradient + <usize>(stage.weights * 4);
  const weights = program.theta + <usize>(stage.weights * 4);
  if (stage.kind != DENSE) {
    if (leads()) maskedBackward(program, stage, input, rows, weights, gradient, slope, out);
    return;
  }
  product(inputs, units, rows, input, 1, inputs, slope, 0, gradient);
  if (!out) return;
  if (isLarge(rows, inputs, units)) {
    productShared(rows, inputs, units, slope, units, 1, weights, 1, units, 0, out);
    return;
  }
  if (!leads()) return;
  transpose<f32>(inputs, units, weights, units, program.transposed, inputs);
  product(rows, inputs, units, slope, units, 1, program.transposed, 0, out);
}

/** Convolution, normalisation and pooling: threads share rows or channels, then whatever is elementwise. */
function imageForward(program: Program, stage: Stage, input: usize, rows: i32, training: bool): void {
  const before = stage.activation == GELU ? stage.before : stage.output;
  if (stage.kind == CONVOLUTION) convolutionForward(program, stage, input, rows, before);
  else if (stage.kind == NORMALISATION) normalise(program, stage, input, rows, before, training);
  else return pool(stage, rows, input, stage.output, true);
  barrier(program);
  const start = shareStart(rows * stage.units, 16);
  const shift = <usize>(start * 4);
  activate(stage.activation, shareEnd(rows * stage.units, 16) - start, before + shift, stage.output + shift);
}

function imageBackward(
  program: Program,
  stage: Stage,
  input: usize,
  rows: i32,
  slope: usize,
  out: usize,
): void {
  if (stage.kind != CONVOLUTION && stage.kind != NORMALISATION)
    return pool(stage, rows, out, slope, false);
  const start = shareStart(rows * stage.units, 16);
  const shift = <usize>(start * 4);
  const count = shareEnd(rows * stage.units, 16) - start;
  multiplySlope(stage.activation, count, stage.before + shift, stage.output + shift, slope + shift);
  barrier(program);
  if (stage.kind == CONVOLUTION) convolutionBackward(program, stage, input, rows, slope, out);
  else normaliseBackward(program, stage, input, rows, slope, out);
}

/** Rows of a transposed batch are padded to whole vectors with zeros. */
// @ts-ignore: decorator
@inline
function paddedBytes(rows: i32): usize {
  return <usize>(((rows + 3) & ~3) * 4);
}

/** Transposes rows×columns to columns×padded rows, so that a connection works on contiguous rows. */
function transposeBatch(rows: i32, columns: i32, from: usize, to: usize): void {
  const bytes = paddedBytes(rows);
  if (bytes != <usize>(rows * 4)) memory.fill(to, 0, <usize>columns * bytes);
  transpose<f32>(rows, columns, from, columns, to, <i32>(bytes >> 2));
}

function maskedForward(
  program: Program,
  stage: Stage,
  input: usize,
  rows: i32,
  weights: usize,
  bias: usize,
  before: usize,
): void {
  const bytes = paddedBytes(rows);
  const x = program.transposed;
  const z = program.transposed2;
  transposeBatch(rows, stage.inputs, input, x);
  for (let u = 0; u < stage.units; u++) {
    const start = v128.load_splat<f32>(bias + <usize>(u * 4));
    const row = z + <usize>u * bytes;
    for (let i: usize = 0; i < bytes; i += 16) v128.store(row + i, start);
  }
  for (let c = 0; c < stage.connections; c++) {
    const w = v128.load_splat<f32>(weights + <usize>(c * 4));
    const from = x + <usize>load<u32>(stage.from + <usize>(c * 4)) * bytes;
    const to = z + <usize>load<u32>(stage.to + <usize>(c * 4)) * bytes;
    for (let i: usize = 0; i < bytes; i += 16)
      v128.store(to + i, f32x4.add(v128.load(to + i), f32x4.mul(w, v128.load(from + i))));
  }
  transpose<f32>(stage.units, rows, z, <i32>(bytes >> 2), before, stage.units);
}

function maskedBackward(
  program: Program,
  stage: Stage,
  input: usize,
  rows: i32,
  weights: usize,
  gradient: usize,
  slope: usize,
  out: usize,
): void {
  const bytes = paddedBytes(rows);
  const x = program.transposed;
  const z = program.transposed2;
  transposeBatch(rows, stage.inputs, input, x);
  transposeBatch(rows, stage.units, slope, z);
  for (let c = 0; c < stage.connections; c++) {
    const from = x + <usize>load<u32>(stage.from + <usize>(c * 4)) * bytes;
    const to = z + <usize>load<u32>(stage.to + <usize>(c * 4)) * bytes;
    let sum = f32x4.splat(0);
    for (let i: usize = 0; i < bytes; i += 16)
      sum = f32x4.add(sum, f32x4.mul(v128.load(from + i), v128.load(to + i)));
    store<f32>(gradient + <usize>(c * 4), sumLanes(sum));
  }
  if (!out) return;
  memory.fill(x, 0, <usize>stage.inputs * bytes);
  for (let c = 0; c < stage.connections; c++) {
    const w = v128.load_splat<f32>(weights + <usize>(c * 4));
    const from = x + <usize>load<u32>(stage.from + <usize>(c * 4)) * bytes;
    const to = z + <usize>load<u32>(stage.to + <usize>(c * 4)) * bytes;
    for (let i: usize = 0; i < bytes; i += 16)
      v128.store(from + i, f32x4.add(v128.load(from + i), f32x4.mul(w, v128.load(to + i))));
  }
  transpose<f32>(stage.inputs, rows, x, <i32>(bytes >> 2), out, stage.inputs);
}

export function sumLanes(x: v128): f32 {
  return (
    f32x4.extract_lane(x, 0) +
    f32x4.extract_lane(x, 1) +
    (f32x4.extract_lane(x, 2) + f32x4.extract_lane(x, 3))
  );
}
