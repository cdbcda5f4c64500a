import { randomOf } from "../../../fixtures/random.ts";
import { heldBy } from "../../../fixtures/universes/held.ts";
import type { Address } from "../../../src/domain/address.ts";
import type { SwapOrder } from "../../../src/domain/order.ts";
import type { BenchSet } from "./bench-sets.ts";

/** Choice of the requests' pairs: among the 50 tokens that most pools hold, or among all. */
export type Pairs = "best-connected" | "random";

export interface RequestsOptions {
  readonly pairs: Pairs;
  readonly kind: SwapOrder["kind"];
  readonly count: number;
  readonly seed: number;
}

const WELL_CONNECTED = 50;
/** Largest size, in what pools hold of the token of which they hold less. */
const BEYOND = 2;
/** Smallest size where pools hold less than a dollar of a token, as a part of what they hold. */
const MIN_PART = 1e-3;
/** Least base units of an amount: with fewer, one of them is more than a tenth of a basis point. */
const FINE_ENOUGH = 100_000n;

/**
 * Seeded requests on a set. Sizes are log-uniform from one dollar to twice what pools hold of the scarcer token. An exact-out
 * request buys what half of that size is worth.
 */
export function requestsIn(set: BenchSet, { pairs, kind, count, seed }: RequestsOptions): readonly SwapOrder[] {
  const { values, dollar } = set;
  const random = randomOf(seed);
  const known = tokensOf(set);
  const all = [...known.keys()].filter((token) => values.has(token));
  const poolsWith = (token: Address) => known.get(token)?.pools ?? 0;
  const best = all.toSorted((a, b) => poolsWith(b) - poolsWith(a)).slice(0, WELL_CONNECTED);
  const among = pairs === "random" ? all : best;
  const pick = () => among[Math.floor(random() * among.length)] as Address;
  const orders: SwapOrder[] = [];
  while (orders.length < count) {
    const [sellToken, buyToken] = [pick(), pick()];
    const depth = Math.min(known.get(sellToken)?.worth ?? 0, known.get(buyToken)?.worth ?? 0);
    const least = Math.min(dollar, MIN_PART * depth);
    const worth = least * ((BEYOND * depth) / least) ** random();
    if (sellToken === buyToken || !(worth > 0)) continue;
    const sellAmount = BigInt(Math.floor(worth / (values.get(sellToken) as number)));
    const buyAmount = BigInt(Math.floor(worth / 2 / (values.get(buyToken) as number)));
    if (sellAmount < FINE_ENOUGH || buyAmount < FINE_ENOUGH) continue;
    orders.push(
      kind === "exactIn" ? { kind, sellToken, buyToken, sellAmount } : { kind, sellToken, buyToken, buyAmount },
    );
  }
  return orders;
}

/** An order for another amount, as a part of its own: numerator and denominator. */
export function scaled(order: SwapOrder, [num, den]: readonly [bigint, bigint]): SwapOrder {
  return order.kind === "exactIn"
    ? { ...order, sellAmount: (order.sellAmount * num) / den }
    : { ...order, buyAmount: (order.buyAmount * num) / den };
}

/** Number of pools that hold each token, and its amount in them in wei of the native token. */
function tokensOf({
  pools,
  values,
}: BenchSet): ReadonlyMap<Address, { readonly pools: number; readonly worth: number }> {
  const known = new Map<Address, { pools: number; worth: number }>();
  for (const pool of pools) {
    const held = heldBy(pool);
    for (const [i, token] of pool.tokens.entries()) {
      const before = known.get(token) ?? { pools: 0, worth: 0 };
      const worth = (held[i] ?? 0) * (values.get(token) ?? 0);
      known.set(token, { pools: before.pools + 1, worth: before.worth + worth });
    }
  }
  return known;
}
