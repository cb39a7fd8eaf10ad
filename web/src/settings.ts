/** How columns are put together: not at all, by a file that was dropped, or as written in the page. */
export type GroupChoice =
  | { readonly kind: "none" }
  | { readonly kind: "file"; readonly name: string; readonly window: string }
  | { readonly kind: "own"; readonly groups: Readonly<Record<string, readonly string[]>> };

/** Everything a person can choose before a run. Empty texts leave a choice to the command. */
export interface Settings {
  /** The file with the rows, and a trained network beside it. */
  readonly data: string;
  readonly network: string;
  readonly target: string;
  /** Of genotypes: a file of phenotypes, and its column. */
  readonly pheno: string;
  readonly trait: string;
  readonly exclude: readonly string[];
  readonly keep: readonly string[];
  readonly categories: readonly string[];
  /** Columns to take out of the target first, with commas between them. */
  readonly covariates: string;
  readonly groups: GroupChoice;
  readonly task: "" | "regression" | "classification";
  readonly missing: "" | "drop" | "mean" | "error";
  /** A network, or a Gaussian process with its kernel. */
  readonly model: "" | "gp";
  readonly kernel: "" | "matern52" | "linear";
  /** Of the output weights: from training, or fitted anew. */
  readonly posterior: "" | "laplace" | "swag";
  readonly recipe: "standard" | "paper";
  readonly hidden: string;
  readonly ensemble: string;
  readonly seed: string;
  readonly select: "" | "knockoffs" | "permutation";
  readonly fdr: string;
  readonly stability: boolean;
  readonly decimalComma: boolean;
  /** Any other options, as one writes them to the command. */
  readonly more: string;
}

export const noSettings: Settings = {
  data: "",
  network: "",
  target: "",
  pheno: "",
  trait: "",
  exclude: [],
  keep: [],
  categories: [],
  covariates: "",
  groups: { kind: "none" },
  task: "",
  missing: "",
  model: "",
  kernel: "",
  posterior: "",
  recipe: "standard",
  hidden: "",
  ensemble: "1",
  seed: "1",
  select: "",
  fdr: "0.1",
  stability: false,
  decimalComma: false,
  more: "",
};

/** The name under which groups made in the page are a file to the command. */
export const OWN_GROUPS = "groups.json";
