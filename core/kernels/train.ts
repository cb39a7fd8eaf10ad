/**
 * Training of variational networks, whole epochs in single precision. The host writes a Program (see
 * train-program.ts) and calls `trainBatches` with a stretch of the epoch's row order; what every step
 * means is written plainly in src/network, which tests hold this against step by step.
 */
import { barrier, leads, shareEnd, shareStart, takePart } from "./train-crew";
import { outputNoise } from "./train-noise";
import { drawOutput, likelihood, meanOutput, outputBackward, outputVariances } from "./train-output";
import { CONVOLUTION, DROPOUT, FLATTEN, LINK_SOFTMAX, MASKED, NORMALISATION, Program, Stage } from "./train-program";
import { multiplyInto } from "./train-activation";
import { stageBackward, stageForward } from "./train-stage";
import { adamStep, countStep, shrink } from "./train-step";

/**
 * One step for each batch of the `count` rows in `order`, by `parts` threads that are all given this
 * call at once, each with its own `part` and `scratch` (a page's main thread may not sleep). Leaves Σ loss × rows at `lossSum`.
 */
export function trainBatches(
  at: usize,
  order: usize,
  count: i32,
  part: i32,
  parts: i32,
  scratch: usize,
  maySleep: bool,
): void {
  takePart(part, parts, scratch, maySleep);
  const program = changetype<Program>(at);
  if (<u32>program.link > <u32>LINK_SOFTMAX) unreachable();
  if (leads()) store<f64>(program.lossSum, 0);
  for (let start = 0; start < count; start += program.batchSize) {
    const rows = min(program.batchSize, count - start);
    gather(program, order + <usize>(start * 4), rows);
    trainBatch(program, rows);
    const sum = load<f64>(program.lossSum);
    if (sum != sum) return;
  }
}

/** out[i, c] ← E f for the `count` rows in `order`, dropout off; one thread. */
export function predictRows(at: usize, order: usize, count: i32, out: usize, scratch: usize): void {
  takePart(0, 1, scratch, false);
  const program = changetype<Program>(at);
  for (let start = 0; start < count; start += program.batchSize) {
    const rows = min(program.batchSize, count - start);
    gather(program, order + <usize>(start * 4), rows);
    const h = forward(program, rows, false);
    meanOutput(program, h, rows, out + <usize>(start * program.outputs * 4));
  }
}

function gather(program: Program, order: usize, rows: i32): void {
  const bytes = <usize>(program.inputs * 4);
  const outputs = <usize>(program.outputs * 4);
  const end = shareEnd(rows, 1);
  for (let i = shareStart(rows, 1); i < end; i++) {
    const row = <usize>load<u32>(order + <usize>(i * 4));
    const at = <usize>i;
    memory.copy(program.batchX + at * bytes, program.x + row * bytes, bytes);
    store<u64>(program.batchY + (at << 3), load<u64>(program.y + (row << 3)));
    if (program.offsets)
      memory.copy(program.batchOffsets + at * outputs, program.offsets + row * outputs, outputs);
  }
}

// @ts-ignore: decorator
@inline
function stageAt(program: Program, at: i32): Stage {
  return changetype<Stage>(program.stages + <usize>at * offsetof<Stage>());
}

function forward(program: Program, rows: i32, training: bool): usize {
  let values = program.batchX;
  for (let at = 0; at < program.stageCount; at++) {
    barrier(program);
    values = stageForward(program, stageAt(program, at), at, values, rows, training);
  }
  barrier(program);
  return values;
}

function trainBatch(program: Program, rows: i32): void {
  const h = forward(program, rows, true);
  if (leads()) outputLayer(program, h, rows);
  barrier(program);
  backward(program, rows);
  barrier(program);
  adamStep(program);
  shrink(program);
  barrier(program);
}

/** Draws the output, adds the batch's loss to the sum, and leaves dL/dh in slopeA. */
function outputLayer(program: Program, h: usize, rows: i32): void {
  outputNoise(rows * program.outputs, program.noiseStep, program.k0, program.k1, program.epsilon);
  outputVariances(program);
  drawOutput(program, h, rows);
  let loss = likelihood(program, rows);
  loss += <f64>rows * outputBackward(program, h, rows, program.slopeA);
  store<f64>(program.lossSum, load<f64>(program.lossSum) + loss);
  program.noiseStep++;
  countStep(program);
}

// @ts-ignore: decorator
@inline
function hasParameters(kind: i32): bool {
  return kind <= MASKED || kind == CONVOLUTION || kind == NORMALISATION;
}

/** What came into a stage: nothing moves where images become lists. */
function inputOf(program: Program, at: i32): usize {
  while (--at >= 0) {
    const stage = stageAt(program, at);
    if (stage.kind != FLATTEN) return stage.output;
  }
  return program.batchX;
}

/** Back to the first stage that has parameters; what lies before it needs no slope. */
function backward(program: Program, rows: i32): void {
  let lowest = 0;
  while (lowest < program.stageCount && !hasParameters(stageAt(program, lowest).kind)) lowest++;
  let slope = program.slopeA;
  let other = program.slopeB;
  for (let at = program.stageCount - 1; at >= lowest; at--) {
    const stage = stageAt(program, at);
    if (stage.kind == FLATTEN) continue;
    if (stage.kind == DROPOUT) {
      if (leads()) multiplyInto(rows * stage.units, stage.before, slope);
      barrier(program);
      continue;
    }
    stageBackward(program, stage, inputOf(program, at), rows, slope, at == lowest ? 0 : other);
    barrier(program);
    const swap = slope;
    slope = other;
    other = swap;
  }
}
