/** Repeatable pseudo-random numbers (mulberry32, by Tommy Ettinger, public domain): not for secrets. */
export interface Random {
  /** An integer from 0 up to and not including `limit` (at most 2^32). */
  below(limit: number): number;
  /** One of the items, which must not be empty. */
  pick<Item>(items: readonly Item[]): Item;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return { below, pick: (items) => items[below(items.length)]! };
}
