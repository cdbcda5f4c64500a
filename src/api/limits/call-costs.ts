/** Units of the limit that a call of each method costs. docs/api.md shows it. */
const CALL_COSTS: Readonly<Record<string, number>> = {
  GetPrice: 1,
  // For each amount, and each request.
  GetPriceLadder: 1,
  BatchGetPrices: 1,
  ListSources: 1,
  // And more where many addresses have to be looked up.
  ListTokens: 1,
  GetChain: 1,
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

/** Tokens that a list has looked up on the chain for one unit. */
const LOOK_UPS_PER_UNIT = 10;

/** Units for addresses that a list of tokens has to look up, besides those of its method. */
export function unitsOfLookUps(addresses: number): number {
  return Math.max(0, Math.ceil(addresses / LOOK_UPS_PER_UNIT) - 1);
}

/** Units of a price on top of overrides beside the one of its method: its pools are put into the search's graph, and taken out again. */
export const UNITS_OF_OVERRIDES = 4;

/** Steps of its searches that a call makes for one unit more: several times those of most prices. */
const STEPS_PER_UNIT = 25_000;

/** The most that a call is charged for its searches, in units beside those of its method. */
const MAX_SURCHARGE = 10;

/** Units for the steps of a call's searches, charged once it is over. */
export function surchargeOf(steps: number): number {
  return Math.min(MAX_SURCHARGE, Math.floor(steps / STEPS_PER_UNIT));
}
