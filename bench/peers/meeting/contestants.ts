import { type BuiltInFee, PANCAKE_FEE, USUAL_FEE } from "../../../fixtures/universes/built-in.ts";
import type { PeerUniverse } from "../../../fixtures/universes/priced.ts";
import type { PoolId } from "../../../src/domain/route.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import { deepestOfPairs } from "./ours.ts";

/** Another router, and what the comparison has to know of it. */
export interface Contestant {
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
  /** Package that has to be installed for it. */
  readonly package?: string;
  /** The only fee that it can count with in constant-product pools. */
  readonly fee?: BuiltInFee;
  /** Curves that it knows; all without it. A universe with others is not for it, unless `sees` picks pools from it. */
  readonly curves?: readonly Pool["curve"][];
  /** The pools of a universe that it can tell apart and count with; all without it. */
  readonly sees?: (universe: PeerUniverse) => ReadonlySet<PoolId>;
  /** Its settings, for the documents. */
  readonly settings: string;
}

/** Uniswap V3's fee tiers, in millionths. */
const UNISWAP_TIERS = [100, 200, 300, 400, 500, 3000, 10_000];

const PANCAKE = {
  file: "pancake.mjs",
  fee: PANCAKE_FEE,
  package: "@pancakeswap/smart-router",
  curves: ["constant-product", "concentrated"],
} as const;

export const CONTESTANTS: readonly Contestant[] = [
  {
    name: "best single path",
    file: "greedy.ts",
    args: ["1"],
    settings: "at most 4 pools; of the best paths of each length the one that brings most after gas",
  },
  {
    name: "greedy, 1,000 chunks",
    file: "greedy.ts",
    args: ["1000"],
    settings:
      "1,000 chunks, each along the path of at most 4 pools that brings most for it; where gas counts or that fails, the best of 1, 10, 100 and 1,000 chunks after gas",
  },
  {
    name: "Uniswap AlphaRouter",
    file: "uniswap.mjs",
    args: [],
    fee: USUAL_FEE,
    package: "@uniswap/smart-order-router",
    sees: seenByUniswap,
    settings:
      "its defaults of Ethereum: parts of 5 %, at most 7 paths of at most 3 pools, V2, V3 and mixed; one V2 pool of a pair (it knows them by their tokens), its own choice of pools among all, V3 quotes by our integers; our gas of a use",
  },
  {
    name: "Balancer SOR",
    file: "balancer.mjs",
    args: ["16"],
    package: "@balancer-labs/sor",
    curves: ["constant-product", "weighted", "composable-stable"],
    settings:
      "at most 16 pools (its default is 4), paths of at most 2 pools, which is all that it finds without Linear pools; at most 0.3 of what a pool holds at once; constant-product pools as weighted ones of equal parts; our gas of the median pool",
  },
  {
    ...PANCAKE,
    name: "Pancake Infinity",
    args: ["infinity"],
    settings:
      "its defaults: paths of at most 3 pools, up to 100 parts; all pools on such a path, picked outside of its time; its own gas",
  },
  {
    ...PANCAKE,
    name: "Pancake SmartRouter",
    args: ["smart"],
    settings:
      "its defaults of BSC: parts of 5 %, at most 4 paths of at most 3 pools; the pools that its own selection takes of all, outside of its time; its own gas",
  },
];

/** Pools that Uniswap's router can tell apart: the deepest V2 pool of each pair, and V3 pools by pair and fee. */
export function seenByUniswap(universe: PeerUniverse): ReadonlySet<PoolId> {
  return deepestOfPairs(
    universe,
    (pool) => pool.curve === "constant-product" || isEvenPair(pool),
    (pool) => pool.curve === "concentrated" && UNISWAP_TIERS.includes(pool.state.feePpm),
  );
}

/** Whether a weighted pool is Uniswap's V2 curve with its fee: two tokens of equal weights, 0.3 %. */
function isEvenPair(pool: Pool): boolean {
  if (pool.curve !== "weighted" || pool.tokens.length !== 2) return false;
  return pool.state.weights[0] === pool.state.weights[1] && pool.state.swapFee === 3n * 10n ** 15n;
}
