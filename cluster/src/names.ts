/**
 * Where things lie in a store:
 *
 *     store.json                          the store's own name
 *     blobs/<sha256>                      large arrays of payloads
 *     tasks/<id>                          payloads
 *     results/<id>                        results: a task is done when this is there
 *     runs/<run>/run.json                 what was asked for
 *     runs/<run>/batches/<n>.json         the tasks of one call, in their order
 *     runs/<run>/attempts/<id>/<attempt>  who began it, and how it ended
 *     runs/<run>/failures/<id>.json       why it was given up
 *     runs/<run>/events/<n>.json          what happened to the driver
 *     runs/<run>/arrays/<array>.json      the tasks of one Slurm array
 *     runs/<run>/driver.json              a sign of life of whoever gave the command
 *     runs/<run>/report.json              how it ended
 *     runs/<run>/cancelled                somebody wants it ended
 *     runs/<run>/resumed.json             when it was last taken up again
 *     workers/<worker>.json               a sign of life
 *     refusals/<n>.json                   jobs that were no tasks of ours
 */
export const blobName = (hash: string): string => `blobs/${hash}`;
export const taskName = (id: string): string => `tasks/${id}`;
export const resultName = (id: string): string => `results/${id}`;
export const runFolder = (run: string): string => `runs/${run}`;
export const runName = (run: string): string => `runs/${run}/run.json`;
export const batchName = (run: string, batch: string): string =>
  `runs/${run}/batches/${batch}.json`;
export const attemptsFolder = (run: string): string => `runs/${run}/attempts`;
export const attemptName = (run: string, id: string, attempt: string): string =>
  `runs/${run}/attempts/${id}/${attempt}.json`;
export const failureName = (run: string, id: string): string => `runs/${run}/failures/${id}.json`;
export const eventName = (run: string, event: string): string => `runs/${run}/events/${event}.json`;
export const driverName = (run: string): string => `runs/${run}/driver.json`;
export const reportName = (run: string): string => `runs/${run}/report.json`;
export const cancelledName = (run: string): string => `runs/${run}/cancelled`;
export const resumedName = (run: string): string => `runs/${run}/resumed.json`;
export const workerName = (worker: string): string => `workers/${worker}.json`;
export const refusalName = (refusal: string): string => `refusals/${refusal}.json`;

/** Names that sort by when they were made, and are never made twice. */
export function stamp(now: number, unique: string): string {
  return `${String(now).padStart(15, "0")}-${unique}`;
}
