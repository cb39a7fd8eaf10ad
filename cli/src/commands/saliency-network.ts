import type { Matrix, RunOptions } from "@ratewise/core";
import type { SaliencyMethod, SaliencyOf, SaliencyOptions } from "@ratewise/core/network";
import { contentHash } from "@ratewise/core/parallel";
import { openNetworkFile } from "../input/network-file.ts";
import { networkRows } from "../input/network-rows.ts";
import { readTableFile } from "../input/read-table.ts";
import type { Io } from "../io.ts";
import { usageError } from "../options/options.ts";
import type { Values } from "../options/table.ts";
import { naming } from "../options/table-command.ts";

/** Attributions of every row, and what they are about. */
export interface Attributed {
  readonly S: Matrix;
  /** The rows that were attributed. */
  readonly X: Matrix;
  readonly columns: readonly string[];
  /** The class that was asked for. */
  readonly class: string | null;
  /** Whether the network predicts numbers, whose logit is the prediction itself. */
  readonly numbers: boolean;
  /** What the network speaks of where it learned a logarithm. */
  readonly logarithm: string | null;
  readonly dataHash: string;
}

export interface AttributionPlan {
  readonly data: string;
  readonly model: string;
  readonly method: SaliencyMethod;
  readonly of: SaliencyOf;
  readonly baseline: "zero" | "mean";
  readonly steps: number | undefined;
  readonly epsilon: number | undefined;
}

/** The part of a plan that is about the method. */
export function methodOf({ method, of, baseline, steps, epsilon }: AttributionPlan): Pick<
  SaliencyOptions,
  "method" | "of" | "steps" | "epsilon"
> & {
  baseline: "zero" | "mean";
} {
  return {
    method,
    of,
    baseline,
    ...(steps !== undefined && { steps }),
    ...(epsilon !== undefined && { epsilon }),
  };
}

/** A trained network, from its ONNX file: columns in their order, as numbers, every row complete. */
export async function attributeNetwork(
  plan: AttributionPlan,
  values: Values<"saliency">,
  onProgress: NonNullable<RunOptions["onProgress"]>,
  io: Io,
): Promise<Attributed> {
  const { link } = values;
  if (values.class !== undefined && !/^\d{1,9}$/.test(values.class))
    throw usageError(
      "saliency",
      `--class needs a number from 0 for net.onnx, got "${values.class}"`,
    );
  const chosen = values.class === undefined ? undefined : Number(values.class);
  const network = await openNetworkFile(plan.model, io, {
    ...(values.output !== undefined && { output: values.output }),
  });
  const { X, names } = await naming(plan.data, async () => {
    const { table } = await readTableFile(plan.data, io);
    return networkRows(table, { missing: "error", exclude: values.exclude });
  });
  const { networkSaliency } = await import("@ratewise/onnx");
  const S = await naming(plan.model, () =>
    networkSaliency(network, X, {
      ...methodOf(plan),
      ...(chosen !== undefined && { class: chosen }),
      ...(link !== undefined && { link }),
      onProgress,
    }),
  );
  const { link: detected, lastLayer } = network.detected;
  // Several outputs without a link are logits of classes.
  const numbers = (link ?? detected) === "identity" && (lastLayer?.bias.length ?? 1) === 1;
  return {
    S,
    X,
    columns: names,
    class: values.class ?? null,
    numbers,
    logarithm: null,
    dataHash: contentHash(X),
  };
}
