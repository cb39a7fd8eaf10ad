/** What is known of a method before it is run. */
export interface MethodEntry {
  /** Where there is room. */
  readonly title: string;
  /** In figures and at the heads of columns. */
  readonly shortTitle: string;
  /** What it looks at: the network itself, a mimic of it, or the response alone. */
  readonly of: "network" | "mimic" | "response";
  /** What a variable's score tells. */
  readonly asks: string;
  /** Whether its mimic has settings that a search can choose. */
  readonly searched: boolean;
  /** Whether it is among the few that are asked first because they take little time. */
  readonly quick: boolean;
}

/** By the names that options and results have for them. */
export type CompareMethod =
  | "rate"
  | "gradient"
  | "permutation"
  | "forest"
  | "gbm"
  | "tree-shap"
  | "group-forest"
  | "lasso"
  | "group-lasso"
  | "linear"
  | "correlation"
  | "t-test";

const slow = { searched: false, quick: false } as const;
const quick = { searched: false, quick: true } as const;
const searched = { searched: true, quick: false } as const;

/** Every method, in the order in which results list them. */
export const methodTable: Readonly<Record<CompareMethod, MethodEntry>> = {
  rate: {
    title: "RATE",
    shortTitle: "RATE",
    of: "network",
    asks: "how closely a variable moves with the model's predictions",
    ...quick,
  },
  gradient: {
    title: "direct, by gradients",
    shortTitle: "gradient",
    of: "network",
    asks: "how much the model uses the variable itself (how its predictions change when only this variable changes)",
    ...quick,
  },
  permutation: {
    title: "permutation importance",
    shortTitle: "permutation",
    of: "network",
    asks: "how much worse the model predicts when the variable is shuffled",
    ...quick,
  },
  forest: {
    title: "random forest",
    shortTitle: "forest",
    of: "mimic",
    asks: "how much splits on it help a random forest that mimics the model",
    ...searched,
  },
  gbm: {
    title: "boosted trees",
    shortTitle: "gbm",
    of: "mimic",
    asks: "how much splits on it help boosted trees that mimic the model",
    ...searched,
  },
  "tree-shap": {
    title: "Shapley values of boosted trees",
    shortTitle: "tree-shap",
    of: "mimic",
    asks: "how large its Shapley values are in those boosted trees",
    ...searched,
  },
  "group-forest": {
    title: "random forest, permuted",
    shortTitle: "group-forest",
    of: "mimic",
    asks: "how much worse a random forest that mimics the model predicts when its columns are shuffled together",
    ...searched,
  },
  lasso: {
    title: "lasso",
    shortTitle: "lasso",
    of: "mimic",
    asks: "how large its coefficient is in a lasso that mimics the model",
    ...slow,
  },
  "group-lasso": {
    title: "group lasso",
    shortTitle: "group-lasso",
    of: "mimic",
    asks: "how large its coefficients are in a group lasso that mimics the model",
    ...searched,
  },
  linear: {
    title: "linear model",
    shortTitle: "linear",
    of: "mimic",
    asks: "how large its coefficient is in a linear model that mimics the model",
    ...quick,
  },
  correlation: {
    title: "correlation",
    shortTitle: "correlation",
    of: "response",
    asks: "how strongly it is correlated with the response, without the model",
    ...quick,
  },
  "t-test": {
    title: "t-test",
    shortTitle: "t-test",
    of: "response",
    asks: "how clearly it differs with the response, without the model",
    ...slow,
  },
};

/** The names of all methods. */
export const compareMethods: readonly CompareMethod[] = Object.keys(methodTable) as CompareMethod[];

/** What methods were called in earlier versions, with the names that they have now. */
export const formerMethods: ReadonlyMap<string, CompareMethod> = new Map([
  ["gradient-rate", "gradient"],
]);

/** For figures and columns; what is no method, such as `random`, keeps its name. */
export function methodTitle(name: string): string {
  return Object.hasOwn(methodTable, name) ? methodTable[name as CompareMethod].shortTitle : name;
}
