import { RatewiseError } from "@ratewise/core";
import { type Values, walkBack } from "./derivative.ts";
import { sameDims } from "./operators/operator.ts";
import { labelOf } from "./order.ts";
import { callOf, type Program, type Step } from "./program.ts";
import type { Tensor } from "./tensor.ts";

/**
 * ε-LRP (Bach and others 2015) through a graph: a sum z hands R·x_j·(∂z/∂x_j)/(z + ε·sign z) to each of its terms, an
 * activation hands on what it gets, a maximum gives everything to the largest. Biases keep their part. A bias that is an
 * operator of its own goes with the sum before it, so that both ways of writing a layer give the same.
 */
export function relevance(program: Program, values: Values, top: Tensor, epsilon: number): Tensor {
  return walkBack(program, values, top, (step, own) => {
    const call = callOf(step.node, values, program.opset, program.constants);
    const output = values.get(step.node.outputs[0])!;
    const back = (slope: Tensor) => step.operator.backward!(call, output, slope, step.wanted);
    const rule = ruleOf(step);
    if (rule === "follow") return back(own);
    if (rule === "stay") return call.inputs.map((_, k) => (step.wanted[k] ? own : null));
    const single = step.wanted.indexOf(true);
    const before = call.inputs[single];
    if (isBias(step) && before && sameDims(before.dims, output.dims))
      return call.inputs.map((_, k) =>
        k === single
          ? {
              dims: own.dims,
              data: own.data.map(
                (r, e) =>
                  (r * stabilised(before.data[e], epsilon)) / stabilised(output.data[e], epsilon),
              ),
            }
          : null,
      );
    const perSum = {
      dims: own.dims,
      data: own.data.map((r, e) => r / stabilised(output.data[e], epsilon)),
    };
    return back(perSum).map((slope, k) => {
      const x = call.inputs[k];
      if (!slope || !x || !step.wanted[k]) return null;
      return { dims: x.dims, data: x.data.map((value, e) => value * slope.data[e]) };
    });
  });
}

/** Adds or takes off something that does not depend on the input. */
function isBias({ node, wanted }: Step): boolean {
  const one = wanted.filter(Boolean).length === 1;
  return one && (node.operator === "Add" || (node.operator === "Sub" && wanted[0]));
}

function ruleOf({ node, operator, wanted }: Step) {
  const { relevance: rule } = operator;
  const both = wanted.filter(Boolean).length > 1;
  if (rule === undefined || (rule === "product" && both))
    throw new RatewiseError("domain", {
      what: `relevance has no rule for ${labelOf(node)}${both ? ", a product of two things that depend on the inputs" : ""}`,
      advice: "take a gradient",
      operator: node.operator,
    });
  return rule;
}

/** z + ε·sign z; a sum of exactly 0 has nothing to hand on when ε is 0. */
function stabilised(z: number, epsilon: number): number {
  const moved = z + (z >= 0 ? epsilon : -epsilon);
  return moved === 0 ? Number.POSITIVE_INFINITY : moved;
}
