import { fileName, flag, list, oneOf, text, textSuchAs, whole } from "../kinds.ts";
import type { Option } from "../option.ts";

const afterwards = { shapesAnswer: false, page: null } as const;

/** Experiments of the paper, the page, and the data of studies. */
export const otherOptions = [
  {
    name: "quick",
    commands: ["study"],
    kind: flag,
    help: "run a small version in under a minute; it exits with code 1 if a number misses its bar",
  },
  {
    name: "permuted",
    commands: ["study"],
    kind: flag,
    help: "permute the responses first: a control in which nothing may be found",
  },
  {
    name: "covariates",
    commands: ["study"],
    kind: list,
    value: "c",
    help: "also remove these from the response (mice: cage, litter)",
  },
  {
    name: "from",
    commands: ["data"],
    kind: text,
    value: "address",
    help: "a mirror: the folder with the files of the origin",
  },
  {
    name: "force",
    commands: ["data"],
    kind: flag,
    help: "fetch again what is already there",
  },
  {
    name: "port",
    commands: ["app"],
    kind: whole(1, 65_535),
    otherwise: "any free one",
    help: "the port to serve on",
  },
] as const satisfies readonly Option[];

/** Where the answer goes, and how it is shown. */
export const outputOptions = [
  {
    name: "format",
    commands: ["explain"],
    kind: oneOf(["json", "csv", "shap"], {
      json: "as --json",
      csv: "one row per variable",
      shap: "what each variable adds to the predictions of held-out rows, with the fields of a shap.Explanation",
    }),
    value: "what",
    limits: { shap: "ownModel" },
    help: "print this instead of the table",
    ...afterwards,
  },
  {
    name: "out",
    commands: ["explain"],
    kind: text,
    value: "folder",
    help: "write report.html there, with result.json, importance.csv, importance.parquet, model.ratewise and figures",
    ...afterwards,
  },
  {
    name: "out",
    commands: ["compare"],
    kind: text,
    value: "folder",
    help: "write report.html there, with result.json, comparison.csv, shuffle.csv, search.csv, model.ratewise and figures",
    ...afterwards,
  },
  {
    name: "out",
    commands: ["stream"],
    kind: text,
    value: "folder",
    help: "write result.json, importance.csv and groups.csv there; for images also importance-map.npy and .png, for genotypes figures/manhattan.svg and .png",
    ...afterwards,
  },
  {
    name: "out",
    commands: ["study"],
    kind: text,
    value: "folder",
    help: "write study.md there, with result.json and figures",
    ...afterwards,
  },
  {
    name: "out",
    commands: ["predict"],
    kind: fileName(".csv"),
    help: "write a CSV file instead of printing it",
    ...afterwards,
  },
  {
    name: "out",
    commands: ["rank"],
    kind: fileName(".csv", ".json"),
    help: "x.json: the result document; x.csv: one row per variable, in input order",
    ...afterwards,
  },
  {
    name: "out",
    commands: ["saliency"],
    kind: fileName(".npy", ".csv"),
    help: "x.npy: rows × columns in double precision; x.csv: the same with the names of the columns",
    ...afterwards,
  },
  {
    name: "out",
    commands: ["demo"],
    kind: text,
    value: "where",
    help: 'for the simulation, a folder for all that "ratewise explain --out" writes; for gaussian, a file for the posterior, x.json or x.npz, to try "ratewise rank" on',
    ...afterwards,
  },
  {
    name: "out",
    commands: ["app"],
    kind: text,
    value: "folder",
    help: "write the files of the page there, for any web server, instead of serving them",
    ...afterwards,
  },
  {
    name: "force",
    commands: ["explain", "compare", "stream", "app"],
    kind: flag,
    needs: "out",
    help: "write into a folder that is not empty: other files stay",
    ...afterwards,
  },
  {
    name: "force",
    commands: ["demo"],
    kind: flag,
    needs: "out",
    when: "simulation",
    help: "write into a folder that is not empty: other files stay",
    ...afterwards,
  },
  {
    name: "force",
    commands: ["study"],
    kind: flag,
    needs: "out",
    help: "write into a folder that is not empty: other files stay, another result is replaced",
    ...afterwards,
  },
  {
    name: "resume",
    commands: ["explain"],
    kind: flag,
    needs: "out",
    when: "ownModel",
    help: "continue with the networks that a stopped run had trained",
    ...afterwards,
  },
  {
    name: "resume",
    commands: ["stream"],
    kind: flag,
    needs: "out",
    help: "continue with the blocks that a stopped or failed run had finished",
    ...afterwards,
  },
  {
    name: "resume",
    commands: ["study"],
    kind: flag,
    needs: "out",
    help: "continue with the stages that the same command had finished when it was stopped",
    ...afterwards,
  },
] as const satisfies readonly Option[];

/** Commands that draw random numbers. */
const seeded = [
  "explain",
  "stream",
  "power",
  "compare",
  "saliency",
  "rank",
  "demo",
  "study",
] as const;

/** Commands that only read, measure or serve: they draw nothing at random and need no engine. */
const showing = [
  "inspect",
  "model",
  "engines",
  "app",
  "data",
  "worker",
  "status",
  "cancel",
] as const;

/** What nearly every command takes. */
export const commonOptions = [
  {
    name: "json",
    commands: [...seeded, "predict", ...showing],
    kind: flag,
    help: "print the result document (JSON) and nothing else",
    ...afterwards,
  },
  {
    name: "seed",
    commands: seeded,
    kind: whole(0),
    default: 1,
    help: "the seed of the random numbers, up to 2^53 − 1",
    page: "Seed of the random numbers",
  },
  {
    name: "engine",
    commands: [...seeded, "predict"],
    kind: textSuchAs(["plain", "relaxed", "native", "naive"]),
    value: "name",
    help: "use this engine for the linear algebra",
    page: null,
  },
  {
    name: "debug",
    commands: [...seeded, "predict", ...showing, "completion", "resume"],
    kind: flag,
    help: "print a stack trace when something fails",
    ...afterwards,
  },
] as const satisfies readonly Option[];
