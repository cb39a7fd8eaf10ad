import { serve } from "@ratewise/core/parallel";
import { adder, served } from "./tasks.ts";

serve({ tasks: served, residents: [adder] });
