/** The process in which a worker runs tasks, one at a time. Its list of kinds is closed. */

import { closedList } from "./closed-list.ts";
import { serveTasks } from "./serve-tasks.ts";

serveTasks(await closedList());
