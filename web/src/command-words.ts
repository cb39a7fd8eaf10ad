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
    ...option("pheno", settings.pheno),
    ...option("trait", settings.trait),
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
    "--",
    data,
  ];
}

/** Of `ratewise explain`: of a network that is already trained, where one was dropped. */
export function explainWords(settings: Settings): string[] {
  const { network, select, fdr, stability } = settings;
  if (network !== "")
    return [
      ...option("model", network),
      ...dataWords(settings),
      ...groupWords(settings),
      ...option("noise-variance", settings.noiseVariance),
      ...lastWords(settings),
    ];
  return [
    ...dataWords(settings),
    ...trainingWords(settings),
    ...groupWords(settings),
    ...(select === "" ? [] : [`--select=fdr=${fdr}`]),
    ...(select === "permutation" ? ["--by=permutation"] : []),
    ...(stability ? ["--stability"] : []),
    ...lastWords(settings),
  ];
}

/** Of `ratewise compare`, with all methods but those that take long in a page. */
export function compareWords(settings: Settings, methods: readonly string[]): string[] {
  return [
    ...dataWords(settings),
    ...trainingWords(settings),
    ...groupWords(settings),
    ...(methods.length > 0 ? [`--methods=${methods.join(",")}`] : []),
    ...lastWords(settings),
  ];
}

/** Of `ratewise predict` with a model that was saved. */
export function predictWords(data: string, model: string): string[] {
  return [`--model=${model}`, "--engine=plain", "--", data];
}
