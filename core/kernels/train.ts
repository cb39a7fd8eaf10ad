/**
 * Training of variational networks, whole epochs in single precision. The host writes a Program (see
 * train-program.ts) and calls `trainBatches` with a stretch of the epoch's row order; what every step
 * means is written plainly in src/network, which tests hold this against step by step.
 */
import { outputNoise } from "./train-noise";
import { drawOutput, likelihood, meanOutput, outputBackward, outputVariances } from "./train-output";
import { DROPOUT, Program, Stage } from "./train-program";
import { multiplyInto } from "./train-activation";
import { stageBackward, stageForward } from "./train-stage";
import { adamStep, shrink } from "./train-step";

/** One step for each batch of the `count` rows in `order`. @returns Σ loss × rows. */
export function trainBatches(at: usize, order: usize, count: i32): f64 {
  const program = changetype<Program>(at);
  let sum: f64 = 0;
  for (let start = 0; start < count; start += program.batchSize) {
    const rows = min(program.batchSize, count - start);
    gather(program, order + <usize>(start * 4), rows);
    sum += trainBatch(program, rows);
    if (sum != sum) return sum;
  }
  return sum;
}

/** out[i, c] ← E f for the `count` rows in `order`, dropout off. */
export function predictRows(at: usize, order: usize, count: i32, out: usize): void {
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
  for (let i = 0; i < rows; i++) {
    const row = <usize>load<u32>(order + <usize>(i * 4));
    memory.copy(program.batchX + <usize>i * bytes, program.x + row * bytes, bytes);
    store<f32>(program.batchY + <usize>(i * 4), load<f32>(program.y + (row << 2)));
  }
}

// @ts-ignore: decorator
@inline
function stageAt(program: Program, at: i32): Stage {
  return changetype<Stage>(program.stages + <usize>at * offsetof<Stage>());
}

function forward(program: Program, rows: i32, training: bool): usize {
  let values = program.batchX;
  for (let at = 0; at < program.stageCount; at++)
    values = stageForward(program, stageAt(program, at), at, values, rows, training);
  return values;
}

function trainBatch(program: Program, rows: i32): f64 {
  const h = forward(program, rows, true);
  outputNoise(rows * program.outputs, program.noiseStep, program.k0, program.k1, program.epsilon);
  outputVariances(program);
  drawOutput(program, h, rows);
  let loss = likelihood(program, rows);
  loss += <f64>rows * outputBackward(program, h, rows, program.slopeA);
  backward(program, rows);
  adamStep(program);
  shrink(program);
  program.noiseStep++;
  return loss;
}

/** Back to the first stage that has parameters; what lies before it needs no slope. */
function backward(program: Program, rows: i32): void {
  let lowest = 0;
  while (lowest < program.stageCount && stageAt(program, lowest).kind == DROPOUT) lowest++;
  let slope = program.slopeA;
  let other = program.slopeB;
  for (let at = program.stageCount - 1; at >= lowest; at--) {
    const stage = stageAt(program, at);
    if (stage.kind == DROPOUT) {
      multiplyInto(rows * stage.units, stage.before, slope);
      continue;
    }
    const input = at == 0 ? program.batchX : stageAt(program, at - 1).output;
    stageBackward(program, stage, input, rows, slope, at == lowest ? 0 : other);
    const swap = slope;
    slope = other;
    other = swap;
  }
}
