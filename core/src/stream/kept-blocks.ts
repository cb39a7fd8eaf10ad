/**
 * Where what comes of finished blocks lies until a run is over. The owner sees to it that what is found belongs to the same
 * data and options; a block is whole or not there.
 */
export interface KeptBlocks {
  readonly get: (id: string) => Promise<Float64Array | null>;
  readonly put: (id: string, numbers: Float64Array) => Promise<void>;
}
