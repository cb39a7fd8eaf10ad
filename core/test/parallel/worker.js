import * as core from "@ratewise/core";
import { adder, defineTestTasks } from "./tasks.js";

core.serve({ tasks: Object.values(defineTestTasks(core)), residents: [adder] });
