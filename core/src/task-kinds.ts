import { columnBlock } from "./explain/fit/column-blocks.ts";
import { fitMember } from "./explain/fit/fit-member.ts";
import { growForestTrees } from "./learners/forest-trees.ts";
import { lassoFold } from "./learners/group-lasso-cross-validation.ts";
import { searchFold } from "./learners/search.ts";
import type { TaskKind } from "./parallel/index.ts";

/** Every kind of task there is in core. The list is closed: a kind that is not here does not run, whatever message asks for it. */
export const taskKinds: readonly TaskKind[] = [
  columnBlock as TaskKind,
  fitMember as TaskKind,
  growForestTrees as TaskKind,
  lassoFold as TaskKind,
  searchFold as TaskKind,
];
