export { exp } from "./exp.ts";
export { expm1 } from "./expm1.ts";
export { binaryExponent } from "./exponent.ts";
export { log } from "./log.ts";
export { log1p } from "./log1p.ts";
export { sigmoid, softplus } from "./logistic.ts";
export { pow } from "./pow.ts";
export { cos, sin } from "./sin-cos.ts";
export { tanh } from "./tanh.ts";
