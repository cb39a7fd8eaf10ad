import { RatewiseError } from "@ratewise/core";
import { callOf, type Program, type Step } from "./program.ts";
import { type Tensor, tensor } from "./tensor.ts";

/** Every tensor that depends on the input, by name. */
export type Values = ReadonlyMap<string, Tensor>;

/** Runs a program on one block of rows, and keeps what derivatives need. */
export function evaluate(program: Program, x: Tensor): Values {
  const values = new Map([[program.input, x]]);
  for (const { node, operator } of program.steps)
    values.set(
      node.outputs[0],
      operator.forward(callOf(node, values, program.opset, program.constants)),
    );
  return values;
}

/** The tensor that a program makes. */
export function targetOf({ target, constants }: Program, values: Values): Tensor {
  const found = values.get(target) ?? constants.get(target);
  if (!found) throw new RatewiseError("unknown-name", { what: `there is no tensor "${target}"` });
  return found;
}

/**
 * ∂loss/∂input from ∂loss/∂target: reverse-mode differentiation, one call of every operator's backward form.
 * Where an input is used twice its slopes add up.
 */
export function backward(program: Program, values: Values, slope: Tensor): Tensor {
  return walkBack(program, values, slope, ({ node, operator, wanted }, own) =>
    operator.backward!(
      callOf(node, values, program.opset, program.constants),
      values.get(node.outputs[0])!,
      own,
      wanted,
    ),
  );
}

type Rule = (step: Step, own: Tensor) => readonly (Tensor | null)[];

/** Hands something down from the target to the input, by a rule for each step. */
export function walkBack(program: Program, values: Values, top: Tensor, rule: Rule): Tensor {
  const { input, target, steps } = program;
  const held = new Map([[target, top]]);
  for (let at = steps.length - 1; at >= 0; at--) {
    const step = steps[at];
    const own = held.get(step.node.outputs[0]);
    if (!own || !step.operator.backward || !step.wanted.includes(true)) continue;
    held.delete(step.node.outputs[0]);
    const parts = rule(step, own);
    step.node.inputs.forEach((name, k) => {
      const part = parts[k];
      if (!step.wanted[k] || !part) return;
      held.set(name, added(held.get(name), part));
    });
  }
  return held.get(input) ?? tensor(values.get(input)!.dims);
}

function added(before: Tensor | undefined, more: Tensor): Tensor {
  if (!before) return more;
  return { dims: more.dims, data: more.data.map((value, e) => value + before.data[e]) };
}

/** Rows that are differentiated together at most, and numbers in the largest tensor on their way. */
const MOST_ROWS = 64;
const MOST_NUMBERS = 2 ** 21;

/** How many rows go together: so many that no tensor on the way is large. One row is tried to see. */
export function rowsTogether(program: Program, row: Tensor, most: number = MOST_ROWS): number {
  let largest = 1;
  try {
    for (const { data } of evaluate(program, row).values())
      largest = Math.max(largest, data.length);
  } catch (error) {
    // A graph for a fixed number of rows does not take one, and is not asked how many it takes.
    if (!(error instanceof RatewiseError)) throw error;
  }
  return Math.max(1, Math.min(most, Math.floor(MOST_NUMBERS / largest)));
}
