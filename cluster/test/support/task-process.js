import { serveTasks } from "@ratewise/cluster";
import { kinds } from "./kinds.js";

serveTasks(kinds);
