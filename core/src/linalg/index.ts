export { type Matrix, matrix, rowBlock } from "./matrix.ts";
