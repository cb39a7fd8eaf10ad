import type { Matrix } from "@ratewise/core";
import type { JacobianBlock } from "@ratewise/core/effects";
import { blocks } from "./activations.ts";
import { backward, evaluate, rowsTogether } from "./derivative.ts";
import { rowShape } from "./input-layout.ts";
import type { OnnxNetwork } from "./network.ts";
import type { Program } from "./program.ts";
import { tensor } from "./tensor.ts";

/** Numbers in a block of derivatives up to which rows go together: 32 MB. */
const MOST_NUMBERS = 2 ** 22;

/**
 * ∂h_ik/∂x_j of the last hidden layer in blocks of rows: one backward pass for each of its l units.
 *
 * @param program the part of the network that makes the last hidden layer
 */
export function* hiddenJacobians(
  network: OnnxNetwork,
  program: Program,
  X: Matrix,
  hidden: number,
  shape: readonly number[] = rowShape(network.layout, X.cols),
): Generator<JacobianBlock> {
  const p = X.cols;
  const most = rowsTogether(
    program,
    tensor([1, ...shape], X.data.subarray(0, p)),
    Math.max(1, Math.floor(MOST_NUMBERS / (p * hidden))),
  );
  for (const { x, rows } of blocks(network, X, shape, most)) {
    const whole = x.dims[0];
    const values = evaluate(program, x);
    const data = new Float64Array(p * rows * hidden);
    const dims = values.get(program.target)!.dims;
    for (let k = 0; k < hidden; k++) {
      const seed = tensor(dims);
      for (let i = 0; i < whole; i++) seed.data[i * hidden + k] = 1;
      const slopes = backward(program, values, seed).data;
      for (let i = 0; i < rows; i++)
        for (let j = 0; j < p; j++) data[(j * rows + i) * hidden + k] = slopes[i * p + j];
    }
    yield { data, rows, variables: p, hidden };
  }
}
