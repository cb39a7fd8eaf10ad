/** What a worker of the studies runs. */
import { serve, type TaskKind } from "@ratewise/core";
import { selectionCell } from "./selection/task.ts";
import { simulationCell } from "./simulation/task.ts";

serve({ tasks: [simulationCell as TaskKind, selectionCell as TaskKind], residents: [] });
