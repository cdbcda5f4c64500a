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

/** `items` in order, cut where the sizes of a group would come to more than `most`; one larger than that is a group. */
export function inGroups<Item>(
  items: readonly Item[],
  sizeOf: (item: Item) => number,
  most: number,
): readonly (readonly Item[])[] {
  const groups: Item[][] = [];
  let sum = Number.POSITIVE_INFINITY;
  for (const item of items) {
    const size = sizeOf(item);
    if (sum + size > most) {
      groups.push([]);
      sum = 0;
    }
    groups.at(-1)?.push(item);
    sum += size;
  }
  return groups;
}
