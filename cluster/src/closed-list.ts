import type { TaskKind } from "@ratewise/core/parallel";
import { taskKinds } from "@ratewise/core/task-kinds";
import { bedBlock } from "./bed-block.ts";

/** Of the studies, which are a package that nobody has to have. */
const STUDIES = "@ratewise/studies";

/** All kinds of tasks that workers run: those of core, blocks of files, and those of the studies where they are installed. */
export async function closedList(): Promise<readonly TaskKind[]> {
  const own = [...taskKinds, bedBlock as TaskKind];
  try {
    const { studyTaskKinds } = (await import(STUDIES)) as { studyTaskKinds?: readonly TaskKind[] };
    return [...own, ...(studyTaskKinds ?? [])];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    return own;
  }
}
