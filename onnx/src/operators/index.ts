import type { GraphNode } from "../model.ts";
import { alongAxes } from "./along-axes.ts";
import { arithmetic } from "./arithmetic.ts";
import { constants } from "./constant.ts";
import { convolution } from "./convolution.ts";
import { elementwise } from "./elementwise.ts";
import { linear } from "./linear.ts";
import type { Operator, OperatorTable } from "./operator.ts";
import { pooling } from "./pooling.ts";
import { reshape } from "./reshape.ts";

const table: OperatorTable = {
  ...arithmetic,
  ...constants,
  ...convolution,
  ...elementwise,
  ...linear,
  ...pooling,
  ...reshape,
  ...alongAxes,
};

/** The operators that have derivatives here, by name. */
export const knownOperators: readonly string[] = Object.keys(table).sort();

export function operatorOf({ operator, domain }: GraphNode): Operator | null {
  if (domain !== "" && !(domain === "com.microsoft" && operator === "Gelu")) return null;
  return Object.hasOwn(table, operator) ? table[operator] : null;
}
