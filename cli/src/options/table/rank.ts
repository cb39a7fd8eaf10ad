import { variants } from "@ratewise/core";
import { taskNames } from "@ratewise/core/data";
import { flag, oneOf, positive, positiveShare, share, text, whole } from "../kinds.ts";
import type { Option } from "../option.ts";

/** Effect sizes that are given as a Gaussian. */
export const rankOptions = [
  {
    name: "mean",
    commands: ["rank"],
    kind: text,
    value: "a.npy",
    help: "the means, p numbers",
  },
  {
    name: "factor",
    commands: ["rank"],
    kind: text,
    value: "b.npy",
    help: "the factor of the covariance, p×l",
  },
  {
    name: "noise",
    commands: ["rank"],
    kind: text,
    value: "c.npy",
    help: "the noise variances, p numbers",
  },
  {
    name: "covariance",
    commands: ["rank"],
    kind: text,
    value: "b.npy",
    help: "the covariance, p×p, instead of a factor",
  },
  {
    name: "draws",
    commands: ["rank"],
    kind: text,
    value: "d.npy",
    help: "draws, s×p, instead of all of these",
  },
  {
    name: "variant",
    commands: ["rank"],
    kind: oneOf(variants),
    otherwise: "noise if noise is given, exact if the covariance has full rank",
    help: "the formula",
  },
  {
    name: "nugget",
    commands: ["rank"],
    kind: positive,
    value: "ε",
    help: "add ε to every variance (variant nugget)",
  },
  {
    name: "nullify",
    commands: ["rank"],
    kind: text,
    value: "a,b",
    many: true,
    help: "hold these variables at zero throughout",
  },
  {
    name: "divide-by-group-size",
    commands: ["rank"],
    kind: flag,
    help: "divide the importance of each group by its number of members",
  },
] as const satisfies readonly Option[];

/** Responses planted in a table. */
export const powerOptions = [
  {
    name: "task",
    commands: ["power"],
    kind: oneOf(taskNames),
    default: "regression",
    help: "what the planted responses are",
  },
  {
    name: "causal",
    commands: ["power"],
    kind: whole(),
    otherwise: "a third of all, at most 15",
    help: "variables with an effect",
  },
  {
    name: "signal",
    commands: ["power"],
    kind: positiveShare,
    value: "share",
    otherwise: "0.6",
    help: "share of the response's variance that is not noise",
  },
  {
    name: "interactions",
    commands: ["power"],
    kind: share,
    value: "share",
    otherwise: "0.5",
    help: "share of the signal that comes from products of two causal variables",
  },
  {
    name: "repeats",
    commands: ["power"],
    kind: whole(),
    otherwise: "10",
    help: "responses to plant",
  },
] as const satisfies readonly Option[];
