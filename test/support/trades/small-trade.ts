import { randomOf } from "../../../fixtures/random.ts";
import type { Address } from "../../../src/domain/address.ts";
import type { SwapOrder } from "../../../src/domain/order.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import type { NetworkCost } from "../../../src/routing/router.ts";
import { smallUniverse } from "./small-universe.ts";

/** Gas as a part of the worth of the pools' mean side: from next to nothing to more than most trades are worth. */
const GAS_COSTS = [0, 1e-7, 1e-5, 1e-3];
/** Offsets that keep the seeds of each kind apart. */
const SEEDS = { exactIn: 1_000_000, exactOut: 2_000_000 };

/** A trade in a seeded small universe, from a ten-thousandth to all of the pools' mean side. */
export interface SmallTrade {
  readonly pools: readonly Pool[];
  readonly order: SwapOrder;
  readonly cost: NetworkCost;
  /** Whether gas costs anything. */
  readonly gas: boolean;
}

export function smallTrade(seed: number, kind: SwapOrder["kind"]): SmallTrade {
  const { pools, tokens, worth, depth } = smallUniverse(seed);
  const [sellToken, buyToken] = [tokens[0] as Address, tokens[2] as Address];
  const value = depth * 10 ** (-4 + 4 * randomOf(seed + SEEDS[kind])());
  const amountOf = (token: Address) => BigInt(Math.max(1, Math.round(value / (worth.get(token) as number))));
  const order: SwapOrder =
    kind === "exactIn"
      ? { kind, sellToken, buyToken, sellAmount: amountOf(sellToken) }
      : { kind, sellToken, buyToken, buyAmount: amountOf(buyToken) };
  const perGas = ((GAS_COSTS[seed % GAS_COSTS.length] as number) * depth) / 1e6;
  const cost: NetworkCost = {
    gasPrice: perGas === 0 ? 0n : 1n,
    rate: (token) => ({ num: BigInt(Math.round((perGas / (worth.get(token) as number)) * 1e18)), den: 10n ** 18n }),
  };
  return { pools, order, cost, gas: perGas > 0 };
}
