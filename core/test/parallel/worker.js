import * as main from "@ratewise/core";
import * as parallel from "@ratewise/core/parallel";
import { adder, defineTestTasks } from "./tasks.js";

const core = { ...main, ...parallel };
core.serve({ tasks: Object.values(defineTestTasks(core)), residents: [adder] });
