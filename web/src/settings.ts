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
  /** For genotypes: a file of phenotypes, and its column. */
  readonly pheno: string;
  readonly trait: string;
  readonly exclude: readonly string[];
  readonly keep: readonly string[];
  readonly categories: readonly string[];
  readonly groups: GroupChoice;
  readonly task: "" | "regression" | "classification";
  /** What was chosen in the form, by the names of the command's options. */
  readonly options: Readonly<Record<string, string | boolean>>;
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
  groups: { kind: "none" },
  task: "",
  options: {},
};

/** The name under which groups made in the page are a file to the command. */
export const OWN_GROUPS = "groups.json";
