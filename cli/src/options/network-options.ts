import type { NetworkLink } from "@ratewise/onnx";
import { choiceOption, positiveOption, usageError } from "./options.ts";

/** The options of explain that belong to a network in ONNX. */
export const networkOptionKinds = {
  output: { type: "string" },
  link: { type: "string" },
  classes: { type: "string" },
  around: { type: "string" },
  bias: { type: "string" },
  "prior-precision": { type: "string" },
  "noise-variance": { type: "string" },
} as const;

/** The lines about them in explain's help. */
export const networkHelp = `  --output <name>        of net.onnx: the output to explain, of a network with several
  --link <name>          of net.onnx: identity, logistic or softmax; default: what the network ends with
  --classes <a,b,c>      of net.onnx: names of the classes, in the order of its outputs
  --around <what>        of net.onnx: the last layer's posterior lies around the network's own weights (network, default
                         for classes) or where the response puts it (mode, default for numbers)
  --bias <how>           of net.onnx: the last layer's bias is fixed (default) or integrated
  --prior-precision <λ>  of net.onnx: of the last layer's weights; default: by marginal likelihood
  --noise-variance <τ²>  of net.onnx with numbers; default: by marginal likelihood, needed without --target
`;

type Values = { readonly [Name in keyof typeof networkOptionKinds]?: string };

export interface NetworkSettings {
  readonly output?: string;
  readonly link?: NetworkLink;
  readonly classes?: readonly string[];
  readonly around?: "network" | "mode";
  readonly bias?: "fixed" | "integrated";
  readonly priorPrecision?: number;
  readonly noiseVariance?: number;
}

/** What of them can be known to be right or wrong before the network is opened. */
export function networkSettings(command: string, values: Values): NetworkSettings {
  const link = choiceOption(command, "link", values.link, ["identity", "logistic", "softmax"]);
  const around = choiceOption(command, "around", values.around, ["network", "mode"]);
  const bias = choiceOption(command, "bias", values.bias, ["fixed", "integrated"]);
  const priorPrecision = positiveOption(command, "prior-precision", values["prior-precision"]);
  const noiseVariance = positiveOption(command, "noise-variance", values["noise-variance"]);
  return {
    ...(values.output !== undefined && { output: values.output }),
    ...(link !== undefined && { link: link as NetworkLink }),
    ...(values.classes !== undefined && {
      classes: values.classes.split(",").map((name) => name.trim()),
    }),
    ...(around !== undefined && { around: around as "network" | "mode" }),
    ...(bias !== undefined && { bias: bias as "fixed" | "integrated" }),
    ...(priorPrecision !== undefined && { priorPrecision }),
    ...(noiseVariance !== undefined && { noiseVariance }),
  };
}

/** Options of the one kind of model would be silently ignored by the other: they are refused. */
export function refuseOptions(
  command: string,
  values: Readonly<Record<string, unknown>>,
  names: readonly string[],
  why: string,
): void {
  for (const name of names)
    if (values[name] !== undefined) throw usageError(command, `--${name} ${why}`);
}
