import { randomOf } from "../../fixtures/random.ts";
import { heldBy } from "../../fixtures/universes/held.ts";
import type { Address } from "../../src/domain/address.ts";
import type { SwapOrder } from "../../src/domain/order.ts";
import type { BenchSet } from "./bench-sets.ts";
import type { Group, Trade } from "./trades.ts";

const WELL_CONNECTED = 50;
/** Largest size, in what pools hold of the token of which they hold less. */
const BEYOND = 2;
/** Smallest size where pools hold less than a dollar of a token, as a part of what they hold. */
const LEAST_PART = 1e-3;
/** Base units of which an amount has to have as many: with fewer, one of them is more than a tenth of a basis point. */
const FINE_ENOUGH = 100_000n;

/**
 * Requests between the 50 best-connected tokens, or between any two. Sizes are log-uniform from one dollar to twice what
 * pools hold of the scarcer token. An exact-out request buys what half of that size is worth.
 */
export function requestsIn(
  { pools, values, dollar }: BenchSet,
  { group, kind, count, seed }: { group: Group; kind: SwapOrder["kind"]; count: number; seed: number },
): readonly Trade[] {
  const random = randomOf(seed);
  const known = new Map<Address, { pools: number; worth: number }>();
  for (const pool of pools) {
    const held = heldBy(pool);
    for (const [i, token] of pool.tokens.entries()) {
      const before = known.get(token) ?? { pools: 0, worth: 0 };
      const worth = (held[i] ?? 0) * (values.get(token) ?? 0);
      known.set(token, { pools: before.pools + 1, worth: before.worth + worth });
    }
  }
  const poolsWith = (token: Address) => known.get(token)?.pools ?? 0;
  const all = [...known.keys()].filter((token) => values.has(token));
  const best = all.toSorted((a, b) => poolsWith(b) - poolsWith(a)).slice(0, WELL_CONNECTED);
  const among = group === "random" ? all : best;
  const pick = () => among[Math.floor(random() * among.length)] as Address;
  const trades: Trade[] = [];
  while (trades.length < count) {
    const [sellToken, buyToken] = [pick(), pick()];
    const depth = Math.min(known.get(sellToken)?.worth ?? 0, known.get(buyToken)?.worth ?? 0);
    const least = Math.min(dollar, LEAST_PART * depth);
    const worth = least * ((BEYOND * depth) / least) ** random();
    if (sellToken === buyToken || !(worth > 0)) continue;
    const sellAmount = BigInt(Math.floor(worth / (values.get(sellToken) as number)));
    const buyAmount = BigInt(Math.floor(worth / 2 / (values.get(buyToken) as number)));
    if (sellAmount < FINE_ENOUGH || buyAmount < FINE_ENOUGH) continue;
    const order: SwapOrder =
      kind === "exactIn" ? { kind, sellToken, buyToken, sellAmount } : { kind, sellToken, buyToken, buyAmount };
    trades.push({ group, order });
  }
  return trades;
}
