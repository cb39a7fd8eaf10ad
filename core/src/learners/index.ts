export type { Learner, LearnerRun, LearnerTask } from "./learner.ts";
