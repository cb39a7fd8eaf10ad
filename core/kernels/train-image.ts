import { shareEnd, shareStart } from "./train-crew";
import { MAX_POOL, Program, Stage } from "./train-program";

/** Added to variances, and the share of a batch in the running moments; src/network has the same. */
const VARIANCE_EPSILON: f64 = 1e-5;
const MOMENTUM: f32 = 0.1;

/**
 * Pooling of this thread's rows, in one direction: forward the largest or the mean of the cells under each
 * window, leaving the largest's column in `before`; backward each unit's slope to where it came from.
 */
export function pool(stage: Stage, rows: i32, image: usize, units: usize, forward: bool): void {
  const last = shareEnd(rows, 1);
  for (let i = shareStart(rows, 1); i < last; i++) {
    const cells = image + <usize>(i * stage.inputs * 4);
    let at = <usize>(i * stage.units * 4);
    if (!forward) memory.fill(cells, 0, <usize>(stage.inputs * 4));
    for (let oy = 0; oy < stage.outHeight; oy++)
      for (let ox = 0; ox < stage.outWidth; ox++)
        for (let c = 0; c < stage.channels; c++) {
          poolWindow(stage, oy * stage.strideY - stage.top, ox * stage.strideX - stage.left, c, cells, at, units, forward);
          at += 4;
        }
  }
}

function poolWindow(
  stage: Stage,
  top: i32,
  left: i32,
  channel: i32,
  cells: usize,
  at: usize,
  units: usize,
  forward: bool,
): void {
  const largest = stage.kind == MAX_POOL;
  if (largest && !forward) {
    const to = cells + <usize>(load<u32>(stage.before + at) << 2);
    store<f32>(to, load<f32>(to) + load<f32>(units + at));
    return;
  }
  const bottom = min(stage.height, top + stage.kernelHeight);
  const right = min(stage.width, left + stage.kernelWidth);
  top = max(0, top);
  left = max(0, left);
  const share = <f32>1 / <f32>((bottom - top) * (right - left));
  const slope = forward ? <f32>0 : load<f32>(units + at) * share;
  let sum: f32 = 0;
  let best: i32 = (top * stage.width + left) * stage.channels + channel;
  for (let y = top; y < bottom; y++)
    for (let x = left; x < right; x++) {
      const column = (y * stage.width + x) * stage.channels + channel;
      const cell = cells + <usize>(column * 4);
      const value = load<f32>(cell);
      if (!forward) store<f32>(cell, value + slope);
      else if (!largest) sum += value;
      else if (value > load<f32>(cells + <usize>(best * 4))) best = column;
    }
  if (!forward) return;
  if (largest) store<i32>(stage.before + at, best);
  store<f32>(units + at, largest ? load<f32>(cells + <usize>(best * 4)) : sum * share);
}

/**
 * z ← γ·(x − mean)/√(variance + ε) + β for this thread's channels: in training with the batch's moments,
 * which stay in `moments` (mean and 1/sd, then room for two sums) and move the running ones.
 */
export function normalise(program: Program, stage: Stage, x: usize, rows: i32, z: usize, training: bool): void {
  const channels = stage.channels;
  const count = rows * (stage.units / channels);
  const start = shareStart(channels, 16);
  const end = shareEnd(channels, 16);
  const theta = program.theta;
  for (let c = start; c < end; c++) {
    store<f64>(momentAt(stage, 0, c), <f64>load<f32>(theta + <usize>((stage.mean + c) * 4)));
    store<f64>(momentAt(stage, 1, c), <f64>load<f32>(theta + <usize>((stage.variance + c) * 4)));
  }
  if (training) batchMoments(program, stage, x, count, start, end);
  for (let c = start; c < end; c++) {
    const at = momentAt(stage, 1, c);
    store<f64>(at, 1 / sqrt(load<f64>(at) + VARIANCE_EPSILON));
  }
  for (let i = 0; i < count; i++)
    for (let c = start; c < end; c++) {
      const at = <usize>((i * channels + c) * 4);
      const scale = load<f32>(theta + <usize>((stage.weights + c) * 4));
      const shift = load<f32>(theta + <usize>((stage.bias + c) * 4));
      store<f32>(z + at, scale * <f32>normalised(stage, c, load<f32>(x + at)) + shift);
    }
}

/** Mean and variance over the batch to `moments`; sums in double precision, the mean before the squares. */
function batchMoments(program: Program, stage: Stage, x: usize, count: i32, start: i32, end: i32): void {
  for (let power = 0; power < 2; power++) {
    for (let c = start; c < end; c++) store<f64>(momentAt(stage, power, c), 0);
    for (let i = 0; i < count; i++)
      for (let c = start; c < end; c++) {
        let value = <f64>load<f32>(x + <usize>((i * stage.channels + c) * 4));
        if (power) {
          value -= load<f64>(momentAt(stage, 0, c));
          value *= value;
        }
        const at = momentAt(stage, power, c);
        store<f64>(at, load<f64>(at) + value);
      }
    for (let c = start; c < end; c++) {
      const at = momentAt(stage, power, c);
      const sum = load<f64>(at);
      store<f64>(at, sum / <f64>count);
      const running = program.theta + <usize>(((power ? stage.variance : stage.mean) + c) * 4);
      const batch = <f32>(sum / <f64>(power ? max(1, count - 1) : count));
      store<f32>(running, load<f32>(running) + MOMENTUM * (batch - load<f32>(running)));
    }
  }
}

/** The gradient of γ and β and, unless `out` is 0, dL/dx there, from dL/dz in `slope`; this thread's channels. */
export function normaliseBackward(program: Program, stage: Stage, x: usize, rows: i32, slope: usize, out: usize): void {
  const channels = stage.channels;
  const count = rows * (stage.units / channels);
  const start = shareStart(channels, 16);
  const end = shareEnd(channels, 16);
  for (let c = start; c < end; c++) {
    store<f64>(momentAt(stage, 2, c), 0);
    store<f64>(momentAt(stage, 3, c), 0);
  }
  for (let i = 0; i < count; i++)
    for (let c = start; c < end; c++) {
      const at = <usize>((i * channels + c) * 4);
      const d = <f64>load<f32>(slope + at);
      const sum = momentAt(stage, 2, c);
      const product = momentAt(stage, 3, c);
      store<f64>(sum, load<f64>(sum) + d);
      store<f64>(product, load<f64>(product) + d * normalised(stage, c, load<f32>(x + at)));
    }
  for (let c = start; c < end; c++) {
    store<f32>(program.gradient + <usize>((stage.bias + c) * 4), <f32>load<f64>(momentAt(stage, 2, c)));
    store<f32>(program.gradient + <usize>((stage.weights + c) * 4), <f32>load<f64>(momentAt(stage, 3, c)));
  }
  if (!out) return;
  for (let i = 0; i < count; i++)
    for (let c = start; c < end; c++) {
      const at = <usize>((i * channels + c) * 4);
      const mean = load<f64>(momentAt(stage, 2, c)) / <f64>count;
      const slant = load<f64>(momentAt(stage, 3, c)) / <f64>count;
      const centred = <f64>load<f32>(slope + at) - mean - normalised(stage, c, load<f32>(x + at)) * slant;
      const scale = <f64>load<f32>(program.theta + <usize>((stage.weights + c) * 4));
      store<f32>(out + at, <f32>(scale * load<f64>(momentAt(stage, 1, c)) * centred));
    }
}

// @ts-ignore: decorator
@inline
function momentAt(stage: Stage, which: i32, channel: i32): usize {
  return stage.parts + <usize>((which * stage.channels + channel) * 8);
}

// @ts-ignore: decorator
@inline
function normalised(stage: Stage, channel: i32, x: f32): f64 {
  return (<f64>x - load<f64>(momentAt(stage, 0, channel))) * load<f64>(momentAt(stage, 1, channel));
}
