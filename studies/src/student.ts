/**
 * The t that a share of Student's distribution lies within, from −t to t, by bisection of its closed form for whole degrees of
 * freedom (Abramowitz and Stegun 26.7.3 and 26.7.4).
 *
 * @param degrees degrees of freedom, 1 or more
 */
export function studentWithin(share: number, degrees: number): number {
  let [low, high] = [0, 1];
  while (shareWithin(high, degrees) < share) high *= 2;
  for (let k = 0; k < 60; k++) {
    const middle = (low + high) / 2;
    if (shareWithin(middle, degrees) < share) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

function shareWithin(t: number, degrees: number): number {
  const angle = Math.atan(t / Math.sqrt(degrees));
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
  const odd = degrees % 2;
  let term = odd ? cosine : 1;
  let sum = degrees === 1 ? 0 : term;
  for (let k = 2 + odd; k < degrees; k += 2) {
    term *= ((k - 1) / k) * cosine ** 2;
    sum += term;
  }
  return odd ? (2 / Math.PI) * (angle + sine * sum) : sine * sum;
}
