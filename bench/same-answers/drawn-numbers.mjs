/**
 * Random numbers for the inputs, which must not come from the library under test: mulberry32 by Tommy
 * Ettinger. It uses integers and one division, so every engine gives the same bits.
 */
export function drawn(seed) {
  let state = seed | 0;
  const uniform = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  /** Nearly normal: twelve uniform numbers have variance 1. */
  const normal = () => {
    let sum = -6;
    for (let k = 0; k < 12; k++) sum += uniform();
    return sum;
  };
  const below = (count) => Math.floor(count * uniform());
  const normals = (count) => Float64Array.from({ length: count }, normal);
  return { uniform, normal, below, normals };
}
