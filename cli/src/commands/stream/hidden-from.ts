/** Where the last hidden layer comes from. */
export type HiddenFrom =
  | { readonly kind: "activations"; readonly path: string }
  | { readonly kind: "onnx"; readonly path: string }
  | {
      readonly kind: "train";
      readonly units: readonly number[];
      readonly penalties: readonly number[] | undefined;
      readonly epochs: number | undefined;
      readonly batchSize: number | undefined;
    };

export type Training = HiddenFrom & { readonly kind: "train" };
