import { formatOfName } from "@ratewise/files";

/** What was typed, by the names of the options. */
export type Given = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/** A case in which an option applies. */
interface Case {
  /** As in `--hidden applies to networks only`. */
  readonly what: string;
  /** How a line of the help begins that is about this case alone; nothing for the ordinary one. */
  readonly label?: string;
  readonly holds: (given: Given, file: string | undefined) => boolean;
  /** What else to do than to remove the option. */
  readonly instead: (given: Given) => string;
}

/** Whether a name is that of a trained network. */
export function isNetworkFile(name: unknown): name is string {
  return typeof name === "string" && /\.onnx$/i.test(name);
}

const isGenotypes = (file: string | undefined): boolean =>
  file === undefined || formatOfName(file) === "plink";

const removeModel = ({ model }: Given): string => `remove it or --model ${model}`;
const add =
  (what: string): Case["instead"] =>
  () =>
    `remove it or ${what}`;

const isProcess: Case["holds"] = ({ model }) => model === "gp";
const isTrained: Case["holds"] = ({ model }) => isNetworkFile(model);
const trainsNetwork: Case["holds"] = ({ model, activations }) =>
  activations === undefined && (model === undefined || model === "network");

/** Every case that an option can be limited to. */
export const cases = {
  network: {
    what: "networks",
    holds: (given, file) => !isProcess(given, file),
    instead: removeModel,
  },
  ownNetwork: {
    what: "new networks",
    holds: trainsNetwork,
    instead: (given) =>
      given.activations === undefined ? removeModel(given) : "remove it or --activations",
  },
  ownModel: {
    what: "new models",
    holds: (given, file) => !isTrained(given, file),
    instead: removeModel,
  },
  process: {
    what: "Gaussian processes",
    label: "--model gp only",
    holds: isProcess,
    instead: add("add --model gp"),
  },
  trainedNetwork: {
    what: "trained networks",
    label: "net.onnx only",
    holds: isTrained,
    instead: add("use --model net.onnx"),
  },
  table: {
    what: "tables",
    holds: (_, file) => file === undefined || !isGenotypes(file),
    instead: add("use --pheno and --trait"),
  },
  ownTable: {
    what: "new models of tables",
    holds: (given, file) => !isTrained(given, file) && (file === undefined || !isGenotypes(file)),
    instead: (given) => (isNetworkFile(given.model) ? removeModel(given) : "remove it"),
  },
  genotypes: {
    what: "genotypes",
    label: "genotypes only",
    holds: (_, file) => isGenotypes(file),
    instead: add("give a .bed file"),
  },
  response: {
    what: "data with a response",
    holds: ({ target }, file) => target !== undefined || isGenotypes(file),
    instead: add("add --target"),
  },
  knockoffs: {
    what: "knockoffs",
    label: "knockoffs only",
    holds: ({ by }) => by !== "permutation",
    instead: add("--by permutation"),
  },
  permutation: {
    what: "permutation tests",
    label: "permutation only",
    holds: ({ by }) => by === "permutation",
    instead: add("add --by permutation"),
  },
  integratedGradients: {
    what: "--method integrated-gradients",
    label: "integrated gradients only",
    holds: ({ method }) => method === "integrated-gradients",
    instead: add("use that method"),
  },
  layerwise: {
    what: "--method lrp",
    label: "lrp only",
    holds: ({ method }) => method === "lrp",
    instead: add("use that method"),
  },
  slurm: {
    what: "--on slurm",
    label: "--on slurm only",
    holds: ({ on }) => on === "slurm",
    instead: add("use --on slurm"),
  },
  simulation: {
    what: "the simulation",
    holds: (_, which) => which !== "gaussian",
    instead: add("run ratewise demo"),
  },
  wholeRun: {
    what: "whole runs",
    holds: ({ resume }) => resume !== true,
    instead: add("--resume"),
  },
} as const satisfies Readonly<Record<string, Case>>;

export type CaseName = keyof typeof cases;

export function caseNamed(name: CaseName): Case {
  return cases[name];
}
