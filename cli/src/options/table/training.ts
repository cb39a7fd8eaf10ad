import { compareMethods, kernelKinds } from "@ratewise/core";
import { taskNames } from "@ratewise/core/data";
import { missingPolicies, modelKinds, posteriorNames } from "@ratewise/core/explain";
import { recipeNames } from "@ratewise/core/network";
import {
  flag,
  methods,
  oneOf,
  oneOfOrFile,
  properShare,
  search,
  text,
  units,
  whole,
} from "../kinds.ts";
import type { Option } from "../option.ts";

const recipe = oneOf(recipeNames, {
  standard: "shrinks inputs that do not help",
  paper: "as published",
});

/** How a model is made of a table. */
export const trainingOptions = [
  {
    name: "task",
    commands: ["explain", "compare"],
    kind: oneOf(taskNames),
    when: "ownModel",
    otherwise: "what the target's values suggest",
    help: "what to train for",
    page: null,
  },
  {
    name: "model",
    commands: ["explain"],
    kind: oneOfOrFile(
      modelKinds,
      {
        network: "trains one",
        gp: "trains a Gaussian process; numbers only, up to 4,000 rows",
      },
      ".onnx",
    ),
    value: "kind",
    help: "what to explain, or a file net.onnx with a trained network",
    otherwise: "network",
    page: "Model",
  },
  {
    name: "recipe",
    commands: ["explain", "compare", "power"],
    kind: recipe,
    default: "standard",
    when: "ownNetwork",
    help: "how to train",
    page: "Recipe",
  },
  {
    name: "hidden",
    commands: ["explain"],
    kind: text,
    value: "32,16",
    when: "network",
    otherwise: "what rows held back from training say, from none to 128,64",
    help: "units of the hidden layers; for net.onnx, the name of the last hidden tensor",
    page: "Units of the hidden layers",
  },
  {
    name: "hidden",
    commands: ["compare"],
    kind: units,
    otherwise: "what rows held back from training say, from none to 128,64",
    help: "units of the hidden layers",
  },
  {
    name: "ensemble",
    commands: ["explain", "compare", "power"],
    kind: whole(),
    default: 1,
    when: "ownNetwork",
    help: "networks to train and average",
    page: "Networks to average",
  },
  {
    name: "posterior",
    commands: ["explain"],
    kind: oneOf(posteriorNames, {
      variational: "from training",
      laplace: "fit the last layer again",
      swag: "fit the last layer again, along the steps of training",
    }),
    default: "variational",
    when: "ownNetwork",
    help: "where the uncertainty of the output weights comes from",
    page: "Uncertainty of the output weights",
  },
  {
    name: "kernel",
    commands: ["explain"],
    kind: oneOf(kernelKinds, {
      rbf: "smooth",
      matern52: "rougher, Matérn 5/2",
      linear: "straight lines",
    }),
    default: "rbf",
    when: "process",
    help: "the kernel",
    page: "Kernel",
  },
  {
    name: "subsample",
    commands: ["explain"],
    kind: whole(),
    when: "process",
    help: "fit to this many training rows, drawn at random",
    page: "Training rows to draw at random",
  },
  {
    name: "missing",
    commands: ["explain", "compare"],
    kind: oneOf(missingPolicies, {
      drop: "leave the row out",
      mean: "fill in the column's mean",
      error: "stop",
    }),
    value: "what",
    limits: { mean: "ownModel" },
    otherwise: "drop, for genotypes mean",
    help: "what to do with missing values",
    page: "Rows with missing values",
  },
  {
    name: "test-fraction",
    commands: ["explain", "compare"],
    kind: properShare,
    value: "share",
    default: 0.3,
    when: "ownModel",
    help: "share of the rows that are kept to test the model",
    page: "Share of the rows to test on",
  },
  {
    name: "workers",
    commands: ["explain", "compare", "power"],
    kind: whole(),
    when: "ownNetwork",
    shapesAnswer: false,
    help: "worker threads; the result does not depend on them",
    page: null,
  },
] as const satisfies readonly Option[];

/** How sure the ranking is. */
export const stabilityOptions = [
  {
    name: "stability",
    commands: ["explain"],
    kind: flag,
    when: "ownNetwork",
    help: "say how sure the ranks are: an interval for each, and the probability of being at the top",
    page: "Say how sure the ranks are",
  },
  {
    name: "top",
    commands: ["explain"],
    kind: whole(),
    needs: "stability",
    otherwise: "10",
    help: "how many ranks count as the top",
    page: "How many ranks count as the top",
  },
] as const satisfies readonly Option[];

/** Other methods beside our own. */
export const compareOptions = [
  {
    name: "compare",
    commands: ["explain"],
    kind: methods,
    when: "ownNetwork",
    help: "also ask other methods, and test every ranking by shuffling",
    page: null,
  },
  {
    name: "methods",
    commands: ["compare"],
    kind: methods,
    default: compareMethods,
    otherwise: "all",
    help: "the methods to ask",
  },
  {
    name: "search",
    commands: ["compare"],
    kind: search,
    help: "choose the settings of forest, gbm, tree-shap, group-lasso and group-forest by trying 30 at random with 5-fold cross-validation; default: no search",
  },
  {
    name: "repeats",
    commands: ["compare"],
    kind: whole(2),
    default: 10,
    help: "how often to permute each variable",
  },
  {
    name: "random-orders",
    commands: ["compare"],
    kind: whole(10),
    default: 10,
    help: "random rankings in the shuffle test",
  },
] as const satisfies readonly Option[];
