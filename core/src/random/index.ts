export { fold, type Key, keyFromSeed } from "./key.ts";
export { normalInto, normals } from "./normal.ts";
export { permutation, subsample } from "./permutation.ts";
export { uniformInteger, uniforms } from "./uniform.ts";
