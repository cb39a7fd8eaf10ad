import { exp1, log1 } from "./train-math";
import { LINK_IDENTITY, LINK_LOGISTIC, Program } from "./train-program";
import { sumLanes } from "./train-stage";

/** Added to the variance of f, so that its root has a slope where the hidden layer is dead. */
const VARIANCE_FLOOR: f32 = 1e-12;
/** log 2π. */
const LOG_2PI: f64 = 1.8378770664093453;

/** out[i, c] ← h_iᵀm_c + b_c. */
export function meanOutput(program: Program, h: usize, rows: i32, out: usize): void {
  const l = program.hidden;
  const outputs = program.outputs;
  for (let i = 0; i < rows; i++) {
    for (let c = 0; c < outputs; c++) {
      const m = program.theta + <usize>((program.mean + c * l) * 4);
      const b = load<f32>(program.theta + <usize>((program.bias + c) * 4));
      store<f32>(out + <usize>((i * outputs + c) * 4), b + dot(l, h + <usize>(i * l * 4), m));
    }
  }
}

/** v ← e^(2·log sd). */
export function outputVariances(program: Program): void {
  const logSd = program.theta + <usize>(program.logSd * 4);
  for (let k = 0; k < program.outputs * program.hidden; k++)
    store<f32>(program.variance + <usize>(k * 4), exp1(2 * load<f32>(logSd + <usize>(k * 4))));
}

/** Draws f and leaves its standard deviations: f_i = h_iᵀm + b + ε_i √(Σ_k h_ik² v_k). */
export function drawOutput(program: Program, h: usize, rows: i32): void {
  const l = program.hidden;
  const outputs = program.outputs;
  meanOutput(program, h, rows, program.f);
  for (let i = 0; i < rows; i++) {
    for (let c = 0; c < outputs; c++) {
      const at = <usize>((i * outputs + c) * 4);
      const v = program.variance + <usize>(c * l * 4);
      const sd = <f32>sqrt(dotSquares(l, h + <usize>(i * l * 4), v) + VARIANCE_FLOOR);
      store<f32>(program.sd + at, sd);
      const f = load<f32>(program.f + at) + load<f32>(program.epsilon + at) * sd;
      store<f32>(program.f + at, f + load<f32>(program.batchOffsets + at));
    }
  }
}

/** Replaces f by the slope of the mean of w·(−log p(y | f)), w a row's weight. @returns its sum over rows. */
export function likelihood(program: Program, rows: i32): f64 {
  const share = <f32>1 / <f32>rows;
  if (program.link == LINK_IDENTITY) return gaussian(program, rows, share);
  if (program.link == LINK_LOGISTIC) return logistic(program, rows, share);
  return softmax(program, rows, share);
}

function gaussian(program: Program, rows: i32, share: f32): f64 {
  const logNoise = load<f32>(program.theta + <usize>(program.logNoise * 4));
  const precision = exp1(-logNoise);
  let squares: f64 = 0;
  let weights: f64 = 0;
  for (let i = 0; i < rows; i++) {
    const at = <usize>(i * 4);
    const response = program.batchY + (at << 1);
    const weight = load<f32>(response, 4);
    const residual = load<f32>(program.f + at) - load<f32>(response);
    squares += <f64>(weight * residual) * <f64>residual;
    weights += <f64>weight;
    store<f32>(program.f + at, weight * residual * precision * share);
  }
  squares *= <f64>precision;
  const n = <f64>rows;
  const slope = program.learnNoise ? <f32>(0.5 * (weights / n) - (0.5 * squares) / n) : <f32>0;
  store<f32>(program.gradient + <usize>(program.logNoise * 4), slope);
  return 0.5 * (squares + weights * (<f64>logNoise + LOG_2PI));
}

function logistic(program: Program, rows: i32, share: f32): f64 {
  let sum: f64 = 0;
  for (let i = 0; i < rows; i++) {
    const at = <usize>(i * 4);
    const f = load<f32>(program.f + at);
    const response = program.batchY + (at << 1);
    const y = load<f32>(response);
    const weight = load<f32>(response, 4);
    const e = exp1(-abs(f));
    const probability = (f >= 0 ? <f32>1 : e) / (1 + e);
    sum += <f64>((max(f, <f32>0) + log1(1 + e) - y * f) * weight);
    store<f32>(program.f + at, (probability - y) * weight * share);
  }
  return sum;
}

function softmax(program: Program, rows: i32, share: f32): f64 {
  const outputs = program.outputs;
  let row = program.f;
  let sum: f64 = 0;
  for (let i = 0; i < rows; i++) {
    const response = program.batchY + <usize>(i * 8);
    const y = <i32>load<f32>(response);
    const weight = load<f32>(response, 4);
    let top = load<f32>(row);
    for (let c = 1; c < outputs; c++) top = max(top, load<f32>(row + <usize>(c * 4)));
    const own = load<f32>(row + <usize>(y * 4));
    let total: f32 = 0;
    for (let c = 0; c < outputs; c++) {
      const at = row + <usize>(c * 4);
      const e = exp1(load<f32>(at) - top);
      store<f32>(at, e);
      total += e;
    }
    sum += <f64>((top - own + log1(total)) * weight);
    for (let c = 0; c < outputs; c++) {
      store<f32>(row, (load<f32>(row) / total - <f32>(c == y)) * weight * share);
      row += 4;
    }
  }
  return sum;
}

/** Gradient of the output layer and dL/dh, from the slopes in f; adds KL/N. @returns KL/N. */
export function outputBackward(program: Program, h: usize, rows: i32, dh: usize): f64 {
  const l = program.hidden;
  const outputs = program.outputs;
  const bytes = <usize>(outputs * l * 4);
  const gm = program.gradient + <usize>(program.mean * 4);
  const gv = program.varianceSlope;
  memory.fill(gm, 0, bytes);
  memory.fill(gv, 0, bytes);
  const bias = program.gradient + <usize>(program.bias * 4);
  memory.fill(bias, 0, <usize>(outputs * 4));
  memory.fill(dh, 0, <usize>(rows * l * 4));
  for (let i = 0; i < rows; i++) {
    for (let c = 0; c < outputs; c++) {
      const at = <usize>((i * outputs + c) * 4);
      const dMean = load<f32>(program.f + at);
      const dVariance =
        (dMean * load<f32>(program.epsilon + at)) / (2 * load<f32>(program.sd + at));
      const own = bias + <usize>(c * 4);
      store<f32>(own, load<f32>(own) + dMean);
      const shift = <usize>(c * l * 4);
      const m = program.theta + <usize>(program.mean * 4) + shift;
      const row = <usize>(i * l * 4);
      backwardRow(
        l, h + row, m, program.variance + shift, dMean, dVariance, gm + shift, gv + shift, dh + row,
      );
    }
  }
  return divergence(program, gm, gv);
}

/** One row and output: ∂m += h·dMean, ∂v += h²·dVariance, ∂h += m·dMean + 2h·v·dVariance. */
function backwardRow(
  l: i32,
  h: usize,
  m: usize,
  v: usize,
  dMean: f32,
  dVariance: f32,
  gm: usize,
  gv: usize,
  dh: usize,
): void {
  const a = f32x4.splat(dMean);
  const b = f32x4.splat(dVariance);
  const b2 = f32x4.splat(2 * dVariance);
  const bytes = <usize>(l * 4);
  let at: usize = 0;
  for (; at + 16 <= bytes; at += 16) {
    const x = v128.load(h + at);
    const xb = f32x4.mul(x, b);
    v128.store(gm + at, f32x4.add(v128.load(gm + at), f32x4.mul(x, a)));
    v128.store(gv + at, f32x4.add(v128.load(gv + at), f32x4.mul(x, xb)));
    const back = f32x4.add(
      f32x4.mul(v128.load(m + at), a),
      f32x4.mul(f32x4.mul(x, b2), v128.load(v + at)),
    );
    v128.store(dh + at, f32x4.add(v128.load(dh + at), back));
  }
  for (; at < bytes; at += 4) {
    const x = load<f32>(h + at);
    store<f32>(gm + at, load<f32>(gm + at) + x * dMean);
    store<f32>(gv + at, load<f32>(gv + at) + x * x * dVariance);
    const back = load<f32>(m + at) * dMean + <f32>2 * x * load<f32>(v + at) * dVariance;
    store<f32>(dh + at, load<f32>(dh + at) + back);
  }
}

/** KL(q ‖ prior)/N, its gradient added, and the variances' slopes turned into those of log sd. */
function divergence(program: Program, gm: usize, gv: usize): f64 {
  const prior = program.priorVariance;
  const n = program.totalRows;
  const logPrior = log1(prior);
  const theta = program.theta;
  let sum: f64 = 0;
  for (let k = 0; k < program.outputs * program.hidden; k++) {
    const at = <usize>(k * 4);
    const m = load<f32>(theta + <usize>(program.mean * 4) + at);
    const logSd = load<f32>(theta + <usize>(program.logSd * 4) + at);
    const v = load<f32>(program.variance + at);
    sum += 0.5 * <f64>((m * m + v) / prior - 1 - (2 * logSd - logPrior));
    store<f32>(gm + at, load<f32>(gm + at) + m / prior / n);
    const slope = <f32>2 * v * load<f32>(gv + at) + (v / prior - 1) / n;
    store<f32>(program.gradient + <usize>(program.logSd * 4) + at, slope);
  }
  return sum / <f64>n;
}

function dot(l: i32, a: usize, b: usize): f32 {
  const bytes = <usize>(l * 4);
  let sum = f32x4.splat(0);
  let at: usize = 0;
  for (; at + 16 <= bytes; at += 16)
    sum = f32x4.add(sum, f32x4.mul(v128.load(a + at), v128.load(b + at)));
  let rest = sumLanes(sum);
  for (; at < bytes; at += 4) rest += load<f32>(a + at) * load<f32>(b + at);
  return rest;
}

function dotSquares(l: i32, a: usize, b: usize): f32 {
  const bytes = <usize>(l * 4);
  let sum = f32x4.splat(0);
  let at: usize = 0;
  for (; at + 16 <= bytes; at += 16) {
    const x = v128.load(a + at);
    sum = f32x4.add(sum, f32x4.mul(f32x4.mul(x, x), v128.load(b + at)));
  }
  let rest = sumLanes(sum);
  for (; at < bytes; at += 4) {
    const x = load<f32>(a + at);
    rest += x * x * load<f32>(b + at);
  }
  return rest;
}
