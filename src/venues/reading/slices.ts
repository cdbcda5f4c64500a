/** Pools whose calls are made up and read at a time, so that no step keeps the thread busy for long. */
const POOLS_AT_A_TIME = 500;

/** Runs `each` over slices of `items`, one after another; its answers in one array. */
export async function inSlices<Item, Result>(
  items: readonly Item[],
  each: (slice: readonly Item[]) => Promise<readonly Result[]>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += POOLS_AT_A_TIME) {
    results.push(...(await each(items.slice(start, start + POOLS_AT_A_TIME))));
  }
  return results;
}
