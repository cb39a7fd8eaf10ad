import { type Diagnostic, diagnostic } from "../../diagnostic.ts";

/** Classes up to which every pair is contrasted. */
const MOST_CONTRASTED = 10;

/** The pairs of a softmax's outputs to contrast; one output has none. */
export function classPairs(outputs: number): {
  pairs: [number, number][];
  diagnostics: Diagnostic[];
} {
  if (outputs > MOST_CONTRASTED)
    return {
      pairs: [],
      diagnostics: [
        diagnostic(
          "contrasts-left-out",
          `Pairs of the ${outputs} classes are not contrasted. Ratewise does that for up to ${MOST_CONTRASTED} classes.`,
          { classes: outputs },
        ),
      ],
    };
  const pairs: [number, number][] = [];
  for (let a = 0; a < outputs; a++) for (let b = a + 1; b < outputs; b++) pairs.push([a, b]);
  return { pairs, diagnostics: [] };
}
