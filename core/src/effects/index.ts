export type { EffectSizes } from "./effect-sizes.ts";
