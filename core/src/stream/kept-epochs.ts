/** Where a training stands after an epoch. */
export interface TrainingState {
  /** Counts, scores and the small layers. */
  readonly numbers: Float64Array;
  /** The large ones: the weights, the two moments of their gradient, the best weights so far. Live: the next step changes them. */
  readonly arrays: readonly Float32Array[];
  /** Epochs that are over, of all penalties. */
  readonly epochs: number;
}

/**
 * Where a training that is not over is put after its epochs, for another to go on from. The owner sees to it that what is found belongs to
 * the same data and options.
 */
export interface KeptEpochs {
  /** Puts it in the place of what was put before; or leaves that there, where it is not worth the time. */
  readonly put: (state: TrainingState) => Promise<void>;
  /** Fills the arrays with those that were put last and gives the numbers; null, and the arrays as they were, where there is nothing whole. */
  readonly take: (arrays: readonly Float32Array[]) => Promise<Float64Array | null>;
}
