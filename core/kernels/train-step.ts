import { barrier, shareEnd, shareStart } from "./train-crew";
import { Program } from "./train-program";
import { sumLanes } from "./train-stage";

const BETA1: f32 = 0.9;
const BETA2: f32 = 0.999;
const EPSILON: f32 = 1e-8;

/** β₁ᵗ and β₂ᵗ of the step to come: for one thread, before the others need them. */
export function countStep(program: Program): void {
  program.decay1 *= BETA1;
  program.decay2 *= BETA2;
}

/** One step of Adam over this thread's parameters, the gradient's norm cut first. Whole vectors. */
export function adamStep(program: Program): void {
  const scale = clipScale(program);
  const length = f32x4.splat(program.learningRate / (1 - program.decay1));
  const root = f32x4.splat(1 / <f32>sqrt(1 - program.decay2));
  const g1 = f32x4.splat((1 - BETA1) * scale);
  const g2 = f32x4.splat((1 - BETA2) * scale * scale);
  const b1 = f32x4.splat(BETA1);
  const b2 = f32x4.splat(BETA2);
  const epsilon = f32x4.splat(EPSILON);
  const end = <usize>(shareEnd(program.size, 16) * 4);
  for (let at = <usize>(shareStart(program.size, 16) * 4); at < end; at += 16) {
    const g = v128.load(program.gradient + at);
    const m = f32x4.add(f32x4.mul(b1, v128.load(program.first + at)), f32x4.mul(g1, g));
    const s = f32x4.add(
      f32x4.mul(b2, v128.load(program.second + at)),
      f32x4.mul(f32x4.mul(g2, g), g),
    );
    v128.store(program.first + at, m);
    v128.store(program.second + at, s);
    const step = f32x4.div(
      f32x4.mul(length, m),
      f32x4.add(f32x4.mul(f32x4.sqrt(s), root), epsilon),
    );
    v128.store(program.theta + at, f32x4.sub(v128.load(program.theta + at), step));
  }
}

/** Every thread sums all of it: in one order, whatever their number. */
function clipScale(program: Program): f32 {
  if (program.clipNorm == Infinity) return 1;
  const bytes = <usize>(program.size * 4);
  let squares: f64 = 0;
  for (let at: usize = 0; at < bytes; at += 16) {
    const g = v128.load(program.gradient + at);
    squares += <f64>sumLanes(f32x4.mul(g, g));
  }
  const norm = <f32>sqrt(squares);
  return norm > program.clipNorm ? program.clipNorm / norm : 1;
}

/** The proximal step of the input penalty on this thread's groups: W_g ← W_g·max(0, 1 − ηλ√|g|/‖W_g‖). */
export function shrink(program: Program): void {
  if (program.penalty == 0) return;
  barrier(program);
  const etaLambda = program.learningRate * program.penalty;
  const last = shareEnd(program.groupCount, 1);
  for (let g = shareStart(program.groupCount, 1); g < last; g++) {
    const begin = load<i32>(program.groupOffsets + <usize>(g * 4));
    const end = load<i32>(program.groupOffsets + <usize>((g + 1) * 4));
    let squares: f32 = 0;
    for (let s = begin; s < end; s++) squares += squaredNorm(program, s);
    const norm = <f32>sqrt(squares);
    const threshold = etaLambda * <f32>sqrt(<f32>(end - begin));
    const keep: f32 = norm > threshold ? <f32>1 - threshold / norm : <f32>0;
    for (let s = begin; s < end; s++) scaleStretch(program, s, keep);
  }
}

/** Where among the parameters entry s of a list of places says. */
function placeOf(program: Program, places: usize, s: i32): usize {
  return program.theta + <usize>(load<i32>(places + <usize>(s * 4)) * 4);
}

function squaredNorm(program: Program, s: i32): f32 {
  let at = placeOf(program, program.groupStarts, s);
  const end = placeOf(program, program.groupEnds, s);
  let sum = f32x4.splat(0);
  for (; at + 16 <= end; at += 16) {
    const w = v128.load(at);
    sum = f32x4.add(sum, f32x4.mul(w, w));
  }
  let rest = sumLanes(sum);
  for (; at < end; at += 4) {
    const w = load<f32>(at);
    rest += w * w;
  }
  return rest;
}

function scaleStretch(program: Program, s: i32, keep: f32): void {
  let at = placeOf(program, program.groupStarts, s);
  const end = placeOf(program, program.groupEnds, s);
  const factor = f32x4.splat(keep);
  for (; at + 16 <= end; at += 16) v128.store(at, f32x4.mul(v128.load(at), factor));
  for (; at < end; at += 4) store<f32>(at, load<f32>(at) * keep);
}
