import { learningCalls } from "./calls/learning.mjs";
import { measuringCalls } from "./calls/measuring.mjs";
import { networkCalls } from "./calls/networks.mjs";
import { posteriorCalls } from "./calls/posteriors.mjs";
import { rankingCalls } from "./calls/ranking.mjs";
import { selectingCalls } from "./calls/selecting.mjs";
import { wholeCalls } from "./calls/whole.mjs";

/** The calls of the library: a function of the library and of the folder with the inputs. */
export const calls = Object.entries({
  ...rankingCalls,
  ...posteriorCalls,
  ...selectingCalls,
  ...learningCalls,
  ...measuringCalls,
  ...networkCalls,
  ...wholeCalls,
}).map(([name, call]) => ({ name: `call-${name.replaceAll(/[ ,]+/g, "-")}`, call, needs: [] }));
