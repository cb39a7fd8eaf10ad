/**
 * What a worker of the pool runs, in Node and in browsers. The two lists are closed: a kind that is
 * not here does not run, whatever message asks for it.
 */
import { kernelThread } from "./compute/kernel-thread.ts";
import { fitMember } from "./explain/fit-member.ts";
import { growForestTrees } from "./learners/forest-trees.ts";
import { lassoFold } from "./learners/group-lasso-cross-validation.ts";
import { searchFold } from "./learners/search.ts";
import { serve, type TaskKind } from "./parallel/index.ts";

serve({
  tasks: [
    fitMember as TaskKind,
    growForestTrees as TaskKind,
    lassoFold as TaskKind,
    searchFold as TaskKind,
  ],
  residents: [kernelThread],
});
