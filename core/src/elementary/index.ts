export { log } from "./log.ts";
export { cosKernel, sinKernel } from "./sin-cos-kernel.ts";
