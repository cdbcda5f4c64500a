import type { Search } from "./search.ts";

/**
 * The slots between `fresh` and all tokens that have a price that a route could use, but for pairs that are not looked at
 * and those whose rates begin below `band` of the ratio of the prices.
 */
export function slotsAmong(
  search: Search,
  logPrices: ReadonlyMap<number, number>,
  fresh: readonly number[],
  band: number,
  looksAt: (from: number, to: number) => boolean,
): number[] {
  const { graph, endOf, workspace } = search;
  const { start, live, to, spot, twin } = graph;
  const { place } = workspace;
  const size = (node: number) => (live[node] as number) - (start[node] as number);
  // Every pool of two fresh nodes is met at both: it is taken at the one with fewer pools.
  const nodes = [...fresh].sort((a, b) => size(a) - size(b));
  const among = new Set(nodes);
  for (const node of logPrices.keys()) if (!among.has(node)) nodes.push(node);
  const prices = nodes.map((node) => Math.exp(logPrices.get(node) as number));
  nodes.forEach((node, i) => {
    place[node] = i;
  });
  const slots: number[] = [];
  const take = (slot: number, from: number, target: number, price: number, other: number) => {
    const rate = spot[slot] as number;
    if (rate * other < price * band || rate === 0 || !search.usable(from, target)) return;
    if (search.allowsSlot(slot)) slots.push(slot);
  };
  // Behind the last token that anything is looked at from there is nothing to be found.
  let last = nodes.length - 1;
  while (last >= 0 && !looksAt(nodes[last] as number, nodes[last] as number)) last--;
  for (let at = 0; at < among.size && at < nodes.length - 1 && at <= last; at++) {
    const node = nodes[at] as number;
    const price = prices[at] as number;
    const end = node === search.sink ? search.entryEnd : endOf(node);
    search.work.steps += end - (start[node] as number);
    for (let slot = start[node] as number; slot < end; slot++) {
      const target = to[slot] as number;
      const other = place[target] as number;
      if (other <= at || !looksAt(node, target)) continue;
      take(slot, node, target, price, prices[other] as number);
      take(twin[slot] as number, target, node, prices[other] as number, price);
    }
  }
  for (const node of nodes) place[node] = -1;
  return slots;
}
