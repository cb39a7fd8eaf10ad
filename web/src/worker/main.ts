/** The program of the page's worker: answers requests one after another, and says how far it is. */
import { type Progress, RatewiseError } from "@ratewise/core";
import { errorMessage, printable } from "ratewise/page";
import { pageText } from "../option-text.ts";
import type { Failure, Reply, Request } from "../protocol.ts";
import { memoryHere } from "./limits.ts";
import { createSession, type Handlers } from "./session.ts";

/** Milliseconds between two reports: as often as an eye follows. */
const EVERY = 80;

const session = createSession({ memory: memoryHere() });
const port = globalThis as unknown as {
  onmessage: (event: MessageEvent<Request>) => void;
  postMessage: (reply: Reply) => void;
};
let before: Promise<void> = Promise.resolve();

port.onmessage = ({ data }) => {
  before = before.then(() => answer(data));
};

async function answer({ id, method, argument }: Request): Promise<void> {
  const post = (reply: Reply): void => port.postMessage(reply);
  try {
    const handler = session[method] as Handlers["inspect"];
    const result = await handler(argument as readonly string[], {
      onProgress: reporting((event) => post({ id, type: "progress", event })),
      onLine: (line) => post({ id, type: "note", line: printable(line) }),
    });
    post({ id, type: "done", result });
  } catch (error) {
    post({ id, type: "failed", ...failure(error, argument) });
  }
}

/** What went wrong in the page's words, and the options that could help. */
function failure(error: unknown, argument: unknown): Failure {
  const trained =
    Array.isArray(argument) && argument.some((word) => /^--model=.*\.onnx$/i.test(word));
  return {
    message: printable(errorMessage(error, pageText(trained))),
    remedies: error instanceof RatewiseError ? error.remedies : [],
  };
}

/** Passes on the newest event every so often, with the newest validation loss, and every last event of a phase. */
function reporting(report: (event: Progress) => void): (event: Progress) => void {
  let last = Number.NEGATIVE_INFINITY;
  let phase = "";
  /** By the network of an ensemble. */
  const held = new Map<number, number>();
  return (event) => {
    const network = event.task?.index ?? 0;
    if (event.validationLoss !== undefined) held.set(network, event.validationLoss);
    const now = performance.now();
    const news = event.phase !== phase || event.done >= event.total;
    if (!news && now - last < EVERY) return;
    last = now;
    phase = event.phase;
    const validationLoss = held.get(network);
    const known = event.loss !== undefined && validationLoss !== undefined;
    report(known ? { ...event, validationLoss } : event);
  };
}
