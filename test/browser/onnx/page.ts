import { matrix } from "@ratewise/core";
import { activations, explainNetwork, networkSaliency, openNetwork } from "@ratewise/onnx";

/** What a network makes of some rows, in lists that pass between a page and its test. */
export interface Answers {
  readonly hidden: number[];
  readonly rates: number[];
  readonly gradient: number[];
  readonly by: string;
}

/** Opens a network from the bytes of a file, as a page that got one dropped would. */
export async function answers(
  bytes: readonly number[],
  rows: readonly number[],
  columns: number,
): Promise<Answers> {
  const network = await openNetwork(Uint8Array.from(bytes), { where: "dropped.onnx" });
  const X = matrix(rows.length / columns, columns, Float64Array.from(rows));
  const { hidden, by } = await activations(network, X);
  const { variables } = await explainNetwork(network, X, { noiseVariance: 0.5 });
  const S = await networkSaliency(network, X, { method: "gradient" });
  return {
    hidden: [...hidden.data],
    rates: variables.map(({ rate }) => rate!),
    gradient: [...S.data],
    by,
  };
}

/** The message of the error that a file ends in. */
async function refusal(bytes: readonly number[]): Promise<string> {
  try {
    await openNetwork(Uint8Array.from(bytes), { where: "dropped.onnx" });
    return "";
  } catch (error) {
    return (error as Error).message;
  }
}

const api = { answers, refusal };

declare global {
  var network: typeof api;
}
globalThis.network = api;
