import type { Encoding } from "../../data/index.ts";
import { type Diagnostic, diagnostic } from "../../diagnostic.ts";
import type { TaskExpansion } from "../../network/expanded-task.ts";
import type { Gain } from "../../network/gain.ts";
import { expansionsInTableUnits } from "../prepare/column-names.ts";
import type { Prepared } from "../prepare/prepared.ts";

/** A variable with a rough effect, and what showed it. */
export interface ExplainedExpansion {
  readonly name: string;
  /** `values`: every value has an effect of its own; `bends`: the effect is straight between the knots. */
  readonly kind: "values" | "bends";
  /** In the table's units. */
  readonly knots: readonly number[];
  /** Of what the model without it left unexplained, the part in held-back rows that this variable explains, in squares. */
  readonly gain: Gain;
}

/** Columns of X that are numbers with more than two values, whose effects may be rough. */
export function numberColumns({ encoding }: Prepared): number[] {
  return encoding.variables.flatMap(({ kind, first }) => (kind === "number" ? [first] : []));
}

export function explainedExpansions(
  encoding: Encoding,
  found: readonly TaskExpansion[],
): ExplainedExpansion[] {
  return expansionsInTableUnits(encoding).map(({ name, kind, knots }, at) => ({
    name,
    kind,
    knots,
    gain: found[at].gain,
  }));
}

/** One line about each variable whose effect may be rough. */
export function expansionNotes(encoding: Encoding): Diagnostic[] {
  return expansionsInTableUnits(encoding).map(({ name, kind, knots }) =>
    diagnostic(
      "rough-effect",
      kind === "values"
        ? `${name}: ${knots.length} values, each with its own effect. Rows held back from training were predicted better that way.`
        : `${name}: an effect that may bend at ${knots.length} places. Rows held back from training were predicted better that way.`,
      { name, kind, knots: knots.length },
    ),
  );
}
