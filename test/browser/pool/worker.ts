import { serve } from "@ratewise/core";
import { adder, served } from "./tasks.ts";

serve({ tasks: served, residents: [adder] });
