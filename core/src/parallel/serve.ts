import { connectToOwner } from "#host";
import type { Losses, Progress } from "../run.ts";
import type { FromWorker, ToWorker } from "./messages.ts";
import { perform } from "./perform.ts";
import type { ResidentKind } from "./resident.ts";
import { type TaskKind, unknownKind } from "./task.ts";
import { recordError } from "./task-error.ts";
import { lossesOf, shareOf } from "./task-progress.ts";
import { enterWorker } from "./workers-here.ts";

/** The least time between two messages of progress, ms. */
const PROGRESS_MS = 20;

/** All that a worker will do. */
export interface Served {
  readonly tasks: readonly TaskKind[];
  readonly residents: readonly ResidentKind[];
}

/** The body of a worker's entry: does the jobs its owner sends, of the kinds listed and no other. */
export function serve({ tasks, residents }: Served): void {
  enterWorker();
  const owner = connectToOwner((message) => void answer(message as ToWorker));
  const post = (message: FromWorker, transfer: readonly ArrayBuffer[] = []): void =>
    owner.post(message, transfer);

  const answer = async (job: ToWorker): Promise<void> => {
    const listed: readonly { readonly kind: string }[] = job.type === "task" ? tasks : residents;
    const kind = listed.find(({ kind }) => kind === job.kind);
    if (!kind) {
      const known = listed.map(({ kind }) => kind);
      return post({ type: "error", error: recordError(unknownKind("serve", job.kind, known)) });
    }
    if (job.type === "task") return answerTask(kind as TaskKind, job.payload);
    post({ type: "entered" });
    try {
      await (kind as ResidentKind).enter(job.payload, { index: job.index, count: job.count });
      post({ type: "result", value: undefined });
    } catch (error) {
      post({ type: "error", error: recordError(error) });
    }
  };

  const answerTask = async (kind: TaskKind, payload: unknown): Promise<void> => {
    let ended = false;
    let quietUntil = 0;
    let losses: Losses | undefined;
    const onProgress = (event: Progress): void => {
      // The loss of rows held back comes once per epoch, and must not fall into a quiet moment.
      losses = { ...losses, ...lossesOf(event) };
      const now = performance.now();
      if (ended || now < quietUntil) return;
      quietUntil = now + PROGRESS_MS;
      post({
        type: "progress",
        fraction: shareOf(event),
        ...(losses.loss !== undefined && { losses }),
      });
      losses = undefined;
    };
    await perform(kind, { kind: kind.kind, payload }, { onProgress }, (outcome, transfer) => {
      post(outcome, transfer);
      ended = true;
    });
  };
}
