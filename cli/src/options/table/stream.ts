import { taskNames } from "@ratewise/core/data";
import { directions, precisions } from "@ratewise/core/stream";
import { bytes, flag, oneOf, penalties, text, units, whole } from "../kinds.ts";
import type { Option } from "../option.ts";

/** An X past memory. */
export const streamOptions = [
  {
    name: "task",
    commands: ["stream"],
    kind: oneOf(taskNames),
    when: "response",
    otherwise: "what the target's values suggest",
    help: "what the response is",
  },
  {
    name: "activations",
    commands: ["stream"],
    kind: text,
    value: "H.npy",
    help: "the last hidden layer of every row, rows × units",
  },
  {
    name: "model",
    commands: ["stream"],
    kind: text,
    value: "net.onnx",
    help: "the network whose last hidden layer to use",
  },
  {
    name: "hidden",
    commands: ["stream"],
    kind: units,
    default: [32, 16],
    when: "ownNetwork",
    help: "train a network with these hidden layers",
  },
  {
    name: "penalty",
    commands: ["stream"],
    kind: penalties,
    when: "ownNetwork",
    otherwise: "2,4",
    help: "input penalties to choose from when training",
  },
  {
    name: "epochs",
    commands: ["stream"],
    kind: whole(),
    when: "ownNetwork",
    otherwise: "20",
    help: "the most epochs of training for each penalty",
  },
  {
    name: "batch",
    commands: ["stream"],
    kind: whole(),
    when: "ownNetwork",
    otherwise: "128",
    help: "rows per batch in training",
  },
  {
    name: "memory",
    commands: ["stream"],
    kind: bytes,
    otherwise: "three quarters of the machine's",
    help: "how much memory to use",
  },
  {
    name: "plan",
    commands: ["stream"],
    kind: flag,
    when: "wholeRun",
    help: "show what a run would read, in which blocks, and the time, memory and disk it would take, without running it",
  },
  {
    name: "by",
    commands: ["stream"],
    kind: oneOf(directions),
    value: "way",
    otherwise: "as the file is stored, if that fits",
    help: "read blocks of",
  },
  {
    name: "block",
    commands: ["stream"],
    kind: whole(),
    otherwise: "what the memory allows",
    help: "columns or rows per block",
  },
  {
    name: "precision",
    commands: ["stream"],
    kind: oneOf(precisions, { double: "", single: "for genotypes only: twice as fast" }),
    value: "how",
    default: "double",
    limits: { single: "genotypes" },
    help: "precision of the products",
  },
] as const satisfies readonly Option[];
