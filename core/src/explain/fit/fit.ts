import type { Prepared } from "../prepare/prepared.ts";
import { fitNetworks, type NetworksOptions } from "./by-networks.ts";
import { fitProcess, type ProcessOptions } from "./by-process.ts";
import type { FittedModel } from "./fitted-model.ts";
import { checkTargetScale } from "./target-scale.ts";

export interface FitOptions extends NetworksOptions, ProcessOptions {
  readonly model: "network" | "gp";
}

/** The model that was asked for, fitted to the training rows. */
export function fit(prepared: Prepared, options: FitOptions): Promise<FittedModel> {
  checkTargetScale(prepared, options.targetScale, options.model);
  return options.model === "gp" ? fitProcess(prepared, options) : fitNetworks(prepared, options);
}
