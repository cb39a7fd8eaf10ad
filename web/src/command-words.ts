import { OWN_GROUPS, type Settings } from "./settings.ts";

/** `--name=value` unless the value says nothing. */
function option(name: string, value: string): string[] {
  return value === "" ? [] : [`--${name}=${value}`];
}

const each = (name: string, values: readonly string[]): string[] =>
  values.map((value) => `--${name}=${value}`);

/** What says which rows and columns there are. */
function dataWords(settings: Settings): string[] {
  return [
    ...option("target", settings.target),
    // The command wants both or neither: without a trait the phenotype is that of the .fam file.
    ...option("pheno", settings.trait === "" ? "" : settings.pheno),
    ...option("trait", settings.trait),
    ...option("covariates", settings.covariates),
    ...each("exclude", settings.exclude),
    ...each("categories", settings.categories),
    ...(settings.decimalComma ? ["--decimal-comma"] : []),
  ];
}

function groupWords({ groups }: Settings): string[] {
  if (groups.kind === "none") return [];
  if (groups.kind === "own") return [`--groups=${OWN_GROUPS}`];
  return [`--groups=${groups.name}`, ...option("window", groups.window)];
}

/** Options that a person wrote as to the command: words with blanks between them, in quotes where they hold some. */
export function wordsOf(text: string): string[] {
  const words = (text.match(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g) ?? []).map((word) =>
    word.replace(/"([^"]*)"|'([^']*)'/g, "$1$2"),
  );
  const joined: string[] = [];
  for (const word of words) {
    const last = joined.at(-1);
    const value = last?.startsWith("--") && !last.includes("=") && !word.startsWith("--");
    if (value) joined[joined.length - 1] = `${last}=${word}`;
    else joined.push(word);
  }
  return joined;
}

/** How a network is trained. */
function trainingWords(settings: Settings): string[] {
  const { recipe, ensemble } = settings;
  return [
    ...each("keep", settings.keep),
    ...option("task", settings.task),
    ...option("missing", settings.missing),
    ...option("recipe", recipe === "standard" ? "" : recipe),
    ...option("hidden", settings.hidden),
    ...option("ensemble", ensemble === "1" ? "" : ensemble),
  ];
}

/** The page computes on one engine everywhere, so that its numbers are those of any other machine. */
const lastWords = ({ seed, data }: Settings): string[] => [
  ...option("seed", seed === "1" ? "" : seed),
  "--engine=plain",
  "--",
  data,
];

/** The command line of `ratewise inspect` for these settings. */
export function inspectWords(settings: Settings): string[] {
  const { keep, data } = settings;
  return [
    "--json",
    ...dataWords(settings),
    ...each("keep", keep),
    ...groupWords(settings),
    ...wordsOf(settings.more),
    "--",
    data,
  ];
}

/** Of `ratewise explain`: of a network that is already trained, where one was dropped. */
export function explainWords(settings: Settings): string[] {
  const { network, select, fdr, stability, model, kernel, posterior } = settings;
  if (network !== "")
    return [
      ...option("model", network),
      ...dataWords(settings),
      ...groupWords(settings),
      ...wordsOf(settings.more),
      ...lastWords(settings),
    ];
  return [
    ...dataWords(settings),
    ...trainingWords(settings),
    ...option("model", model),
    ...option("kernel", model === "gp" ? kernel : ""),
    ...option("posterior", model === "gp" ? "" : posterior),
    ...groupWords(settings),
    ...(select === "" ? [] : [`--select=fdr=${fdr}`]),
    ...(select === "permutation" ? ["--by=permutation"] : []),
    ...(stability ? ["--stability"] : []),
    ...wordsOf(settings.more),
    ...lastWords(settings),
  ];
}

/** Of `ratewise compare`; no methods are all of them, and `search` chooses the settings of forests and the like. */
export function compareWords(
  settings: Settings,
  methods: readonly string[],
  search = "",
): string[] {
  return [
    ...dataWords(settings),
    ...trainingWords(settings),
    ...groupWords(settings),
    ...(methods.length > 0 ? [`--methods=${methods.join(",")}`] : []),
    ...option("search", search),
    ...wordsOf(settings.more),
    ...lastWords(settings),
  ];
}

/** Of `ratewise predict` with a model that was saved. */
export function predictWords(data: string, model: string): string[] {
  return [`--model=${model}`, "--engine=plain", "--", data];
}
