/**
 * a·b + c in each lane. The relaxed build rounds once where the processor has a fused instruction,
 * the plain build always rounds twice; this is the only place where the two builds differ.
 */
// @ts-ignore: decorator
@inline
export function multiplyAdd<T>(a: v128, b: v128, c: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return v128.relaxed_madd<T>(a, b, c);
  return v128.add<T>(c, v128.mul<T>(a, b));
}
