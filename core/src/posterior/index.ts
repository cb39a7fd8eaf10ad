export { averageGaussian, mixtureGaussian } from "./ensemble.ts";
export type { LowRankGaussian } from "./low-rank-gaussian.ts";
export { functionPosterior, type VariationalWeights, variationalWeights } from "./variational.ts";
