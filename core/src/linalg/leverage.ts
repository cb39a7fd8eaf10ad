import { engine } from "../compute/engine.ts";
import type { Matrix } from "./matrix.ts";

/** ‖L⁻¹u_j‖² of each row u_j of U, with L lower triangular: p·l² operations, nothing of U's size is kept. */
export function rowLeverages(U: Matrix, L: Matrix): Float64Array {
  const out = new Float64Array(U.rows);
  engine().leverage(U.rows, U.cols, U.data, U.cols, L.data, L.cols, out);
  return out;
}
