/** What a call of each method costs, in units of the limit. docs/api.md shows it. */
const CALL_COSTS: Readonly<Record<string, number>> = {
  GetPrice: 1,
  ListSources: 1,
  // Is simulated on the node.
  GetQuote: 5,
  // Opening a stream; what it sends is free.
  WatchPrice: 10,
};

/** Units of a method that the table does not know. */
const DEFAULT_COST = 1;

export function costOf(method: string): number {
  return CALL_COSTS[method] ?? DEFAULT_COST;
}
