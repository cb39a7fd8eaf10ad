import type { Progress } from "@ratewise/core";
import type { Study } from "@ratewise/studies";
import { nameOf } from "../output/progress.ts";

/** The same study; what goes on within a stage is told of with the name of the stage: "refits: train". */
export function namingStages(study: Study): Study {
  return {
    ...study,
    run: (context) => {
      const open: string[] = [];
      const { stage, onProgress } = context;
      return study.run({
        ...context,
        stage: (name, work) =>
          stage(name, async () => {
            open.push(name);
            try {
              return await work();
            } finally {
              open.splice(open.indexOf(name), 1);
            }
          }),
        ...(onProgress && { onProgress: (event) => onProgress(within(open, event)) }),
      });
    },
  };
}

/** Of several stages at once nobody knows which one an event is of. */
function within(open: readonly string[], event: Progress): Progress {
  const [stage] = open;
  const name = nameOf(event);
  if (open.length !== 1) return event;
  const same = stage === name || stage.endsWith(`: ${name}`);
  return { ...event, phase: same ? stage : `${stage}: ${name}` };
}
