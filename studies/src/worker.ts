/** What a worker of the studies runs. */
import { serve, type TaskKind } from "@ratewise/core";
import { simulationCell } from "./simulation/task.ts";

serve({ tasks: [simulationCell as TaskKind], residents: [] });
