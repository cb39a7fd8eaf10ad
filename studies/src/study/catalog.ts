import { collinearity } from "../collinearity/study.ts";
import { hidden } from "../hidden/study.ts";
import { imdb } from "../imdb/study.ts";
import { mice } from "../mice/study.ts";
import { mnist } from "../mnist/study.ts";
import { simulation } from "../simulation/study.ts";
import type { Study } from "./study.ts";

/** Every study there is; the list is closed. */
export const studies: readonly Study[] = [collinearity, simulation, mnist, imdb, mice, hidden];
