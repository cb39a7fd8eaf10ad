/** What a worker of the studies runs. */
import { serve } from "@ratewise/core/parallel";
import { studyTaskKinds } from "./task-kinds.ts";

serve({ tasks: studyTaskKinds, residents: [] });
