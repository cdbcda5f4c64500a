/**
 * `work` on every item, at most `width` at a time; answers in the order of the items. Once it has failed for one, it begins
 * with no other.
 */
export async function inParallel<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T, index: number) => Promise<R> | R,
): Promise<R[]> {
  const results = new Array<R>(items.length);
  let next = 0;
  const lane = async () => {
    try {
      for (let index = next++; index < items.length; index = next++) results[index] = await work(items[index]!, index);
    } catch (error) {
      next = items.length;
      throw error;
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, lane));
  return results;
}
