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
