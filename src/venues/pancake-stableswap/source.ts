import { toFunctionSelector } from "viem";
import type { Address, Hex } from "../../domain/address.ts";
import type { Call } from "../../market/chain-reader.ts";
import type { LiquiditySource } from "../../market/liquidity-source.ts";
import type { CurveExchangeAction } from "../curve-stableswap/action.ts";
import { coinsIn, type ListedPool, listingOf, type MadeOut } from "../discovery/numbered-lists.ts";
import { addressOf, refAt } from "../reading/address-as-id.ts";
import { readWhole } from "../reading/read-whole.ts";
import { wordOf } from "../reading/words.ts";
import { pancakeStableswapErrors } from "./errors.ts";
import type { PancakeStableswapRecord } from "./record.ts";
import { syncPools } from "./sync.ts";

const COINS = toFunctionSelector("coins(uint256)");
const MAX_COINS = 3;

/**
 * Pools of PancakeSwap's StableSwap and of its forks, which their factory numbers. The exchange is that of Curve's crypto
 * pools, and draws what is sold. An oracle's price moves without a log: whole pools are read again for every block.
 */
export function pancakeStableswap({ source, factory }: PancakeStableswapRecord): LiquiditySource {
  const lists = { lists: [factory], functions: { count: "pairLength()", pool: "swapPairContract(uint256)" } };
  return {
    id: source,
    kind: "amm",
    exactOut: false,
    assurance: "modelled",
    errors: pancakeStableswapErrors,
    listed: (chain, known, at) => listingOf({ callsFor, madeOut }, chain, { lists, known, at }),
    ...readWhole((chain, refs, at, reportUnserved = () => {}) =>
      syncPools(source, { chain, at, reportUnserved }, refs),
    ),
    action: (pool, { sellToken, buyToken }): CurveExchangeAction => ({
      action: "curve-crypto-pool",
      pool: addressOf(pool),
      sell: pool.tokens.indexOf(sellToken),
      buy: pool.tokens.indexOf(buyToken),
    }),
    fillData: (pool) => ({ poolAddress: addressOf(pool), coins: pool.tokens.join() }),
  };
}

function callsFor({ pool }: ListedPool): readonly Call[] {
  return Array.from({ length: MAX_COINS }, (_, i): Call => ({ to: pool, data: `${COINS}${wordOf(i)}` }));
}

function madeOut(pool: Address, answers: readonly (Hex | undefined)[]): MadeOut {
  const coins = coinsIn(answers);
  return coins.length < 2 ? "UNKNOWN_VERSION" : refAt(pool, coins);
}
