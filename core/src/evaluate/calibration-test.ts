import { log } from "../elementary/index.ts";
import { eigh, type Matrix, matrix } from "../linalg/index.ts";
import { meanOf } from "../linalg/moments.ts";
import { chiSquareTail } from "./chi-square.ts";
import type { Numbers } from "./ranks.ts";

/** Whether probabilities may be what they say, judged by what came. */
export interface CalibrationTest {
  /** Chi-square of so many degrees if the probabilities are right. */
  readonly statistic: number;
  readonly degrees: number;
  readonly pValue: number;
}

/** What rows count, each by itself, and which part of that their classes brought. */
interface Counting {
  readonly rows: Numbers;
  /** Class by class; null where all count the same. */
  readonly classes: Numbers | null;
}

/** A class needs this variance of its count to be asked about by itself; the others are asked about by the slope alone. */
const LEAST_VARIANCE = 5;
/** The commonest classes that are asked about by themselves: O(n·30²) is enough. */
const MOST_CLASSES = 30;
/** Probabilities below this count as this, and directions with less of the largest one's information as none. */
const LEAST = 2 ** -52;
const LEAST_INFORMATION = 1e-10;

/**
 * Cox's (1958) test of calibration as a score test: were the probabilities better as softmax(a + b·log p)? Under a = 0, b = 1 the score
 *
 *     U_c = Σ_i(1{y_i = c} − p_ic),   U_b = Σ_i(log p_{i,y_i} − Σ_c p_ic log p_ic)
 *
 * has mean 0 and a covariance I known from the probabilities, so UᵀI⁺U is chi-square. U_c sees classes that come more often than they
 * should, U_b probabilities that are too far from or too near to the middle. For two classes this is y on a + b·logit p.
 *
 * Where rows count differently, their terms of U do. Where a row counts by its class too, r_i·v_c, right probabilities are those of the
 * weighted rows, p_ic ∝ v_c·P(c): the terms still have mean 0, and class c comes with P(c) = (p_ic/v_c)/Σ_k(p_ik/v_k).
 *
 * @param probabilities n×C, row-major
 */
export function calibrationTest(
  probabilities: Numbers,
  y: Numbers,
  counting: Counting | null = null,
): CalibrationTest {
  const n = y.length;
  const C = probabilities.length / n;
  const counts = counting && countsOf(counting, y, C);
  const asked = classesAsked(probabilities, n, C, counts);
  const size = asked.length + 1;
  const slope = asked.length;
  const score = new Float64Array(size);
  const information = matrix(size, size);
  const logs = new Float64Array(C);
  for (let i = 0; i < n; i++) {
    let mean = 0;
    let square = 0;
    for (let c = 0; c < C; c++) {
      const p = probabilities[i * C + c];
      logs[c] = log(Math.max(p, LEAST));
      mean += p * logs[c];
      square += p * logs[c] ** 2;
    }
    if (counts) {
      const row = { p: probabilities, at: i * C, label: y[i], logs, mean };
      addCounted({ score, information, asked }, row, counts.rows[i], counts.classes);
      continue;
    }
    score[slope] += logs[y[i]] - mean;
    information.data[slope * size + slope] += Math.max(0, square - mean * mean);
    asked.forEach((c, a) => {
      const p = probabilities[i * C + c];
      score[a] += Number(y[i] === c) - p;
      information.data[slope * size + a] += p * (logs[c] - mean);
      for (let b = 0; b <= a; b++)
        information.data[a * size + b] += p * (Number(a === b) - probabilities[i * C + asked[b]]);
    });
  }
  return quadraticForm(score, information);
}

/** All but the commonest class, which the others determine, as far as enough is expected of them. */
function classesAsked(
  probabilities: Numbers,
  n: number,
  C: number,
  counts: Counts | null,
): number[] {
  const expected = new Float64Array(C);
  const variance = new Float64Array(C);
  const counted = new Float64Array(C);
  for (let i = 0; i < n; i++)
    for (let c = 0; c < C; c++) {
      const p = probabilities[i * C + c];
      const count = counts ? counts.rows[i] : 1;
      expected[c] += count * p;
      variance[c] += count * p * (1 - p);
      counted[c] += count * count * p * (1 - p);
    }
  // As many rows that count the same tell as much: (Σwv)²/Σw²v.
  if (counts)
    variance.forEach((sum, c) => {
      variance[c] = counted[c] > 0 ? (sum * sum) / counted[c] : 0;
    });
  const [, ...others] = [...expected.keys()].sort((a, b) => expected[b] - expected[a] || a - b);
  return others.filter((c) => variance[c] >= LEAST_VARIANCE).slice(0, MOST_CLASSES);
}

/** What a row counts apart from its class, of mean 1; and what its class does. */
interface Counts {
  readonly rows: Float64Array;
  readonly classes: Float64Array;
}

function countsOf({ rows, classes }: Counting, y: Numbers, C: number): Counts {
  const of = classes ? Float64Array.from(classes) : new Float64Array(C).fill(1);
  const apart = Float64Array.from(rows, (count, i) => count / of[y[i]]);
  const mean = meanOf(apart);
  return { rows: apart.map((count) => count / mean), classes: of };
}

interface Sums {
  readonly score: Float64Array;
  /** Its lower triangle. */
  readonly information: Matrix;
  readonly asked: readonly number[];
}

interface CountedRow {
  readonly p: Numbers;
  /** Where the row's own probabilities begin. */
  readonly at: number;
  readonly label: number;
  readonly logs: Float64Array;
  /** Σ_c p_c·log p_c. */
  readonly mean: number;
}

/**
 * Adds r·v_y·u_y to U, u_c the row's term if class c comes, and to I its covariance r²Σ_c P(c)v_c²u_cu_cᵀ = r²/Z·Σ_c p_c v_c u_cu_cᵀ with
 * Z = Σ_c p_c/v_c. With v = 1 that is r² times the covariance of rows that count the same.
 */
function addCounted(
  { score, information: { data }, asked }: Sums,
  { p, at, label, logs, mean }: CountedRow,
  r: number,
  v: Float64Array,
): void {
  const size = score.length;
  const slope = asked.length;
  let [Z, all, along, square] = [0, 0, 0, 0];
  v.forEach((count, c) => {
    const weighted = p[at + c] * count;
    Z += p[at + c] / count;
    all += weighted;
    along += weighted * (logs[c] - mean);
    square += weighted * (logs[c] - mean) ** 2;
  });
  const scale = (r * r) / Z;
  score[slope] += r * v[label] * (logs[label] - mean);
  data[slope * size + slope] += scale * square;
  asked.forEach((c, a) => {
    const [pc, vc] = [p[at + c], v[c]];
    score[a] += r * v[label] * (Number(label === c) - pc);
    data[slope * size + a] += scale * pc * (vc * (logs[c] - mean) - along);
    for (let b = 0; b <= a; b++) {
      const o = asked[b];
      data[a * size + b] += scale * pc * (Number(a === b) * vc - p[at + o] * (vc + v[o] - all));
    }
  });
}

/** UᵀI⁺U over the directions of which the probabilities leave anything open; I as its lower triangle. */
function quadraticForm(score: Float64Array, information: Matrix): CalibrationTest {
  const size = score.length;
  const { data } = information;
  const scale = score.map((_, a) => Math.sqrt(data[a * size + a]));
  const certain = scale.findIndex((sd, a) => sd < LEAST && Math.abs(score[a]) > LEAST);
  // What was called certain did not come.
  if (certain >= 0) return { statistic: Number.POSITIVE_INFINITY, degrees: 1, pValue: 0 };
  const open = [...scale.keys()].filter((a) => scale[a] >= LEAST);
  if (open.length === 0) return { statistic: 0, degrees: 1, pValue: 1 };
  const correlation = matrix(open.length, open.length);
  open.forEach((a, r) => {
    open.forEach((b, c) => {
      const [row, col] = a >= b ? [a, b] : [b, a];
      correlation.data[r * open.length + c] = data[row * size + col] / (scale[a] * scale[b]);
    });
  });
  const { values, vectors } = eigh(correlation);
  const most = Math.max(...values);
  let statistic = 0;
  let degrees = 0;
  for (let k = 0; k < open.length; k++) {
    if (!(values[k] > LEAST_INFORMATION * most)) continue;
    let along = 0;
    open.forEach((a, r) => {
      along += (vectors.data[r * open.length + k] * score[a]) / scale[a];
    });
    statistic += along ** 2 / values[k];
    degrees++;
  }
  return { statistic, degrees, pValue: chiSquareTail(statistic, degrees) };
}
