import { type Matrix, matrix } from "../linalg/index.ts";

/** Block (a, b) of a matrix of l×l blocks. */
export function blockOf(joint: Matrix, a: number, b: number, l: number): Matrix {
  const out = matrix(l, l);
  for (let i = 0; i < l; i++) {
    const from = (a * l + i) * joint.cols + b * l;
    out.data.set(joint.data.subarray(from, from + l), i * l);
  }
  return out;
}

/** V_aa + V_bb − V_ab − V_ba: the covariance of w_a − w_b. */
export function difference(joint: Matrix, a: number, b: number, l: number): Matrix {
  const [aa, bb, ab, ba] = [
    blockOf(joint, a, a, l),
    blockOf(joint, b, b, l),
    blockOf(joint, a, b, l),
    blockOf(joint, b, a, l),
  ];
  return matrix(
    l,
    l,
    aa.data.map((value, e) => value + bb.data[e] - ab.data[e] - ba.data[e]),
  );
}
