import type { ModelKind } from "../prepare/prepare.ts";
import type { Prepared } from "../prepare/prepared.ts";
import { fitNetworks, type NetworksOptions } from "./by-networks.ts";
import { fitProcess, type ProcessOptions } from "./by-process.ts";
import type { FittedModel } from "./fitted-model.ts";
import { checkTargetScale } from "./target-scale.ts";

export interface FitOptions extends NetworksOptions, ProcessOptions {
  readonly model: ModelKind;
}

/** The model that was asked for, fitted to the training rows. */
export function fit(prepared: Prepared, options: FitOptions): Promise<FittedModel> {
  checkTargetScale(prepared, options.targetScale, options.model);
  switch (options.model) {
    case "network":
      return fitNetworks(prepared, options);
    case "gp":
      return fitProcess(prepared, options);
  }
  return options.model satisfies never;
}
