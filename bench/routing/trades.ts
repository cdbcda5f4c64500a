import { randomOf } from "../../fixtures/random.ts";
import { heldBy } from "../../fixtures/universes/held.ts";
import type { Address } from "../../src/domain/address.ts";
import type { SwapOrder } from "../../src/domain/order.ts";
import type { Pool } from "../../src/pools/pool.ts";
import type { NetworkCost } from "../../src/routing/router.ts";

/** Pools, and the value of a base unit of each token in wei of the native token. */
export interface Setting {
  readonly name: string;
  readonly pools: readonly Pool[];
  readonly values: ReadonlyMap<Address, number>;
  /** Whether no pools stand off each other. */
  readonly inLine: boolean;
}

export type Group = "best-connected" | "random";

export interface Trade {
  readonly group: Group;
  readonly order: SwapOrder;
}

const GAS_PRICE = 100_000_000_000n;
const SEED = 20_260_721;
const WELL_CONNECTED = 50;
/** Amounts below this many base units are rounded too coarsely to speak of basis points. */
export const FINE_ENOUGH = 1_000_000n;

/**
 * Half of the pairs among the 50 best-connected tokens, half random; sizes log-uniform from 10^-5 to 1 of the smaller of
 * what pools hold of the two tokens. An exact-out trade buys half of what that size is worth.
 */
export function tradesIn(
  { pools, values }: Setting,
  count: number,
  kind: SwapOrder["kind"],
  seed = SEED,
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
  const all = [...known.keys()].filter((token) => values.has(token));
  const best = [...all].sort((a, b) => (known.get(b)?.pools ?? 0) - (known.get(a)?.pools ?? 0));
  const trades: Trade[] = [];
  while (trades.length < count) {
    const group = trades.length % 2 === 0 ? "best-connected" : "random";
    const among = group === "random" ? all : best.slice(0, WELL_CONNECTED);
    const pick = () => among[Math.floor(random() * among.length)] as Address;
    const [sellToken, buyToken] = [pick(), pick()];
    const depth = Math.min(known.get(sellToken)?.worth ?? 0, known.get(buyToken)?.worth ?? 0);
    const worth = depth * 10 ** (-5 + 5 * random());
    const sellAmount = BigInt(Math.floor(worth / (values.get(sellToken) as number)));
    const buyAmount = BigInt(Math.floor(worth / 2 / (values.get(buyToken) as number)));
    if (sellToken === buyToken || sellAmount < FINE_ENOUGH || buyAmount < FINE_ENOUGH) continue;
    const order: SwapOrder =
      kind === "exactIn" ? { kind, sellToken, buyToken, sellAmount } : { kind, sellToken, buyToken, buyAmount };
    trades.push({ group, order });
  }
  return trades;
}

/** Gas at 100 gwei, at the setting's own values of tokens. */
export function priced({ values }: Setting): NetworkCost {
  const rate = (token: Address) => {
    const value = values.get(token);
    return value === undefined ? undefined : { num: BigInt(Math.round(1e18 / value)), den: 10n ** 18n };
  };
  return { gasPrice: GAS_PRICE, rate };
}
