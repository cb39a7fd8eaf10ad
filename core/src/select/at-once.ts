/**
 * The results of `count` pieces of work in their order, at most `atOnce` of them under way together. Keys come from the index, so the results do not depend
 * on how many that are.
 */
export async function inOrder<Result>(
  count: number,
  atOnce: number,
  work: (index: number) => Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Result>(count);
  let next = 0;
  const hand = async (): Promise<void> => {
    for (let k = next++; k < count; k = next++) results[k] = await work(k);
  };
  const stopping = (error: unknown): never => {
    next = count;
    throw error;
  };
  const hands = Array.from({ length: Math.min(atOnce, count) }, () => hand().catch(stopping));
  await Promise.all(hands);
  return results;
}
