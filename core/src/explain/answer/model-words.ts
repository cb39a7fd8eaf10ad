import type { Tried } from "../../network/choose.ts";
import type { AboutModel } from "../fit/fitted-model.ts";

/** What was fitted, as the reader would call it: "a network of 32-16 hidden units". */
export function modelNoun({
  kernel,
  layers,
  ensemble,
  form,
}: Pick<AboutModel, "kernel" | "layers" | "ensemble"> & {
  readonly form?: AboutModel["form"];
}): string {
  if (kernel) return `a Gaussian process (kernel ${kernel.kind})`;
  const many = ensemble > 1;
  if (form === "constant") return "a constant, because no column helped to predict rows held back,";
  if (form === "linear") return many ? `${ensemble} linear models` : "a linear model";
  const units = `${many ? `${ensemble} networks` : "a network"} of ${layers.join("-")} hidden units`;
  if (form === "blend") return `${units} blended with a linear model`;
  if (form === "beside") return `${units} beside a linear part`;
  return units;
}

/** What was tried before the model was chosen, in one line; null where nothing was compared. */
export function choiceText(tried: readonly Tried[]): string | null {
  if (tried.length < 2) return null;
  const named = tried.map(
    (each) => `${nameOf(each)} ${each.loss.toPrecision(3)}${each.taken ? "" : " (no clear gain)"}`,
  );
  return `Chosen by the error on rows held back from training: ${named.join(", ")}.`;
}

function nameOf({ form, layers }: Tried): string {
  if (form === "constant") return "the average";
  if (form === "linear") return "linear";
  const units = `${layers.join("-")} units`;
  if (form === "blend") return `${units} blended with linear`;
  return form === "beside" ? `${units} beside linear` : units;
}
