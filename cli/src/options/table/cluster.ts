import { flag, positive, text, whole } from "../kinds.ts";
import type { Option } from "../option.ts";

const folder = "a folder that all machines see, or s3://bucket/prefix";

/** Work on other machines. */
export const clusterOptions = [
  {
    name: "on",
    commands: ["explain", "power", "compare", "study"],
    kind: text,
    value: "where",
    otherwise: "local",
    shapesAnswer: false,
    help: 'train elsewhere: redis://host:6379, postgres://host/database (where "ratewise worker" runs) or slurm; the result is the same',
    page: null,
  },
  {
    name: "on",
    commands: ["worker"],
    kind: text,
    value: "address",
    help: "the queue: redis://host:6379, rediss://… (TLS), valkey://…, postgres://host:5432/database",
  },
  {
    name: "store",
    commands: ["explain", "power", "compare", "study"],
    kind: text,
    value: "folder",
    needs: "on",
    otherwise: "$RATEWISE_STORE",
    shapesAnswer: false,
    help: folder,
    page: null,
  },
  {
    name: "store",
    commands: ["worker", "status", "resume", "cancel"],
    kind: text,
    value: "folder",
    otherwise: "$RATEWISE_STORE",
    help: `where the run is kept: ${folder}`,
  },
  {
    name: "tasks-per-job",
    commands: ["explain", "power", "compare", "study"],
    kind: whole(),
    when: "slurm",
    shapesAnswer: false,
    help: "tasks that each element of the array runs",
    page: null,
  },
  {
    name: "workers",
    commands: ["worker"],
    kind: whole(),
    otherwise: "one per core",
    help: "tasks at once, each in its own process",
  },
  {
    name: "idle",
    commands: ["worker"],
    kind: positive,
    value: "seconds",
    help: "stop after this many seconds without work",
  },
  {
    name: "timeout",
    commands: ["worker"],
    kind: positive,
    value: "seconds",
    help: "end a task that takes longer, and try it again",
  },
  {
    name: "cache",
    commands: ["worker"],
    kind: text,
    value: "folder",
    help: "also keep large arrays on this machine's disk",
  },
  {
    name: "pilots",
    commands: ["worker"],
    kind: whole(),
    help: "submit n workers as a Slurm array, each with --workers cores, then exit",
  },
  {
    name: "status",
    commands: ["worker"],
    kind: whole(0, 65_535),
    value: "port",
    help: "serve the status page and metrics of the store on http://127.0.0.1:port/; 0 takes any free port",
  },
  {
    name: "serve",
    commands: ["status"],
    kind: whole(0, 65_535),
    value: "port",
    help: "serve this as a page on http://127.0.0.1:port/, with /status.json and /metrics, until Ctrl-C; 0 takes any free port",
  },
  {
    name: "metrics",
    commands: ["status"],
    kind: flag,
    help: "print tasks, retries, bytes and workers in the format of Prometheus",
  },
] as const satisfies readonly Option[];
