import { afterAll } from "vitest";
import { boostingLearner, forestLearner } from "../../src/learners/index.ts";
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
