import { afterAll } from "vitest";
import { forestLearner } from "../../src/learners/forest.ts";
import { boostingLearner } from "../../src/learners/index.ts";
import { closeWorkers } from "../../src/parallel/index.ts";
import { conforms } from "./conformance.ts";

afterAll(closeWorkers);

const tasks = [
  { kind: "regression" },
  { kind: "classification", classes: 2 },
  { kind: "classification", classes: 3 },
] as const;

conforms(forestLearner({ trees: 30 }), { tasks });
conforms(boostingLearner({ rounds: 30 }), { tasks });
conforms(
  {
    ...boostingLearner({ rounds: 30, subsample: 0.7, earlyStopping: true }),
    name: "early stopping",
  },
  { tasks },
);
