import { permutationImportance } from "../../importance/index.ts";
import type { Matrix } from "../../linalg/index.ts";
import { fold } from "../../random/index.ts";
import type { Group } from "../../rate/index.ts";
import type { CompareContext, MethodScores } from "./context.ts";

/** Permutation importance on held-out rows, the columns of a variable or group permuted together. */
export async function permutedScores(
  { test, variables, groups, key, repeats, run }: CompareContext,
  loss: (X: Matrix) => number,
  ...label: readonly string[]
): Promise<MethodScores> {
  const scored = (kind: string, of: readonly Group[]) =>
    permutationImportance(loss, test.X, {
      ...run,
      key: fold(key, ...label, kind),
      groups: of,
      repeats,
    });
  const ofVariables = await scored("variables", variables);
  const ofGroups = groups.length > 0 ? await scored("groups", groups) : null;
  return {
    variables: ofVariables.scores,
    groups: ofGroups?.scores ?? new Float64Array(0),
    standardErrors: {
      variables: ofVariables.standardErrors,
      groups: ofGroups?.standardErrors ?? new Float64Array(0),
    },
  };
}
