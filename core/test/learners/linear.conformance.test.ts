import { afterAll } from "vitest";
import { groupLassoLearner, lassoLearner } from "../../src/learners/group-lasso-learner.ts";
import { learnerFrom } from "../../src/learners/index.ts";
import { linearLearner } from "../../src/learners/linear.ts";
import { closeWorkers } from "../../src/parallel/index.ts";
import { conforms } from "./conformance.ts";

afterAll(closeWorkers);

const regression = { kind: "regression" } as const;
const two = { kind: "classification", classes: 2 } as const;
const three = { kind: "classification", classes: 3 } as const;

conforms(linearLearner(), { tasks: [regression] });
conforms(lassoLearner({ folds: 3 }), { tasks: [regression] });
conforms(groupLassoLearner({ lambdaRatio: 0.02 }), { tasks: [regression] });
conforms(learnerFrom({ method: "group-forest", settings: { trees: 20 } }), {
  tasks: [regression, two, three],
});
