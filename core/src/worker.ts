/**
 * What a worker of the pool runs, in Node and in browsers. The two lists are closed: a kind that is
 * not here does not run, whatever message asks for it.
 */
import { kernelThread } from "./compute/kernel-thread.ts";
import { serve } from "./parallel/index.ts";
import { taskKinds } from "./task-kinds.ts";

serve({ tasks: taskKinds, residents: [kernelThread] });
