import { selectionMethods } from "@ratewise/core/explain";
import { copiesKinds } from "@ratewise/core/select";
import { falseRate, flag, oneOf, text, whole } from "../kinds.ts";
import type { Option } from "../option.ts";

const help = "select variables so that on average at most this share of the selected ones is false";

/** Which variables may be called findings. */
export const selectionOptions = [
  {
    name: "select",
    commands: ["explain"],
    kind: falseRate,
    when: "ownNetwork",
    help,
    page: "Select findings, with at most this share false on average",
  },
  {
    name: "select",
    commands: ["power"],
    kind: falseRate,
    otherwise: "fdr=0.1",
    default: 0.1,
    help,
  },
  {
    name: "select",
    commands: ["stream"],
    kind: falseRate,
    when: "response",
    help: "permutation p-values, and which variables are selected at this rate",
  },
  {
    name: "by",
    commands: ["explain", "power"],
    kind: oneOf(selectionMethods, {
      knockoffs: "guarantees the rate if the copies fit the columns",
      permutation: 'p-values against "no column matters"',
    }),
    value: "way",
    default: "knockoffs",
    needs: "select",
    help: "how to select",
    page: "How to select",
  },
  {
    name: "copies",
    commands: ["explain", "power"],
    kind: oneOf(copiesKinds, {
      gaussian: "for correlated columns",
      permuted: "for independent columns",
      genotype: "for 0, 1, 2",
    }),
    value: "kind",
    needs: "select",
    when: "knockoffs",
    otherwise: "gaussian",
    help: "how to copy the columns",
    page: "How to copy the columns",
  },
  {
    name: "draws",
    commands: ["explain", "power"],
    kind: whole(),
    needs: "select",
    when: "knockoffs",
    otherwise: "1",
    help: "how many copies to draw; ratewise combines them by e-values",
    page: "Copies to draw",
  },
  {
    name: "refit",
    commands: ["explain", "power"],
    kind: flag,
    needs: "select",
    when: "permutation",
    help: "train a new network for each permutation, not only a new output layer",
    page: "Train a new network for each permutation",
  },
  {
    name: "permutations",
    commands: ["explain", "power"],
    kind: whole(),
    needs: "select",
    when: "permutation",
    help: "the most permutations",
    page: "Permutations at most",
  },
  {
    name: "permutations",
    commands: ["stream"],
    kind: whole(),
    needs: "select",
    otherwise: "1000",
    help: "how many permutations",
  },
  {
    name: "families",
    commands: ["explain"],
    kind: text,
    value: "column",
    needs: "select",
    when: "permutation",
    help: "permute within equal values of this column, and do not use it as an input",
    page: "Column whose equal values are permuted among themselves",
  },
] as const satisfies readonly Option[];
