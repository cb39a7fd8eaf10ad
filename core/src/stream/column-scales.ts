/** Centre and scale of every column over the training rows; scale 0 for a constant one. */
export interface ColumnScales {
  readonly mean: Float32Array;
  /** 1/sd. */
  readonly scale: Float32Array;
}
