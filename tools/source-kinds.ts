import type { VenueRecord } from "../src/market/venue-record.ts";

/** What the documentation says of one kind of source. */
export interface SourceKind {
  readonly pools: string;
  /** What of a pool moves without a log of its own, and is read again for every block. */
  readonly rereads: string;
  /** Compiled contracts (contracts/) that our numbers are compared with: all that has a part in an amount. */
  readonly contracts: readonly string[];
  /** Whose these are, in words. */
  readonly truth: string;
  readonly tests: readonly string[];
}

/** Each protocol that a venue record can name. */
export const SOURCE_KINDS: { readonly [P in VenueRecord["protocol"]]: SourceKind } = {
  "uniswap-v2": {
    pools: "constant product, any fee in whole parts per million",
    rereads: "nothing",
    contracts: ["UniswapV2Pair", "UniswapV2Router02", "PancakePair"],
    truth: "the makers' bytecode (Uniswap, the first PancakeSwap)",
    tests: ["test/pools/constant-product/exactness.test.ts", "test/venues/uniswap-v2.test.ts"],
  },
  "uniswap-v3": {
    pools: "concentrated liquidity",
    rereads: "nothing",
    contracts: ["UniswapV3Pool", "QuoterV2"],
    truth: "the makers' bytecode",
    tests: ["test/pools/concentrated/exactness.test.ts", "test/venues/uniswap-v3.test.ts"],
  },
  "pancakeswap-v3": {
    pools: "concentrated liquidity",
    rereads: "nothing",
    contracts: ["PancakeV3Pool"],
    truth: "the makers' bytecode; our own deployer",
    tests: [
      "test/pools/concentrated/exactness.test.ts",
      "test/venues/pancake-v3.test.ts",
      "test/settlement/venues/pancake-v3.test.ts",
    ],
  },
  "uniswap-v4": {
    pools: "concentrated liquidity in one contract, native token too; hooks that touch no swap",
    rereads: "dynamic fees",
    contracts: ["PoolManager", "V4Quoter"],
    truth: "the makers' bytecode",
    tests: ["test/pools/concentrated/exactness.test.ts", "test/venues/uniswap-v4.test.ts"],
  },
  algebra: {
    pools: "Algebra Integral: concentrated liquidity without a plugin",
    rereads: "nothing",
    contracts: ["AlgebraPool"],
    truth: "the makers' bytecode",
    tests: ["test/pools/concentrated/exactness.test.ts", "test/venues/algebra.test.ts"],
  },
  slipstream: {
    pools: "Slipstream's interface: concentrated liquidity by tick spacing, any fee that the pool answers with",
    rereads: "fees, and whether they are worked out of past prices",
    contracts: ["UniswapV3Pool", "DevnetSlipstreamFactory"],
    truth:
      "Uniswap V3's bytecode behind a factory of ours, its fee changed in place of a module; some trades with its own pools, compiled by us",
    tests: ["test/venues/slipstream.test.ts", "test/promise/slipstream.test.ts"],
  },
  solidly: {
    pools: "Velodrome V2's interface: volatile and stable; exact-out of volatile ones only",
    rereads: "fees, the factory's pause",
    contracts: ["DevnetSolidlyPool"],
    truth: "our own contract of the documented formulas; another team's vectors (exact-in: all equal)",
    tests: [
      "test/pools/solidly/exactness.test.ts",
      "test/pools/solidly/vectors.test.ts",
      "test/venues/solidly.test.ts",
      "test/settlement/venues/solidly.test.ts",
    ],
  },
  "curve-stableswap": {
    pools:
      "stableswap, old and NG (fee by distance from the peg, rates), ramps by time, native coins, the pool's own share by one coin added or removed; metapools by their own coins, the base pool's by its share; checked against get_dy at every block",
    rereads: "everything",
    contracts: ["DevnetStableswap"],
    truth:
      "our own contract of the documented formulas; another team's vectors (single exchanges, and a metapool's coin for the base pool's: all equal)",
    tests: [
      "test/pools/stableswap/exactness.test.ts",
      "test/pools/stableswap/share-exactness.test.ts",
      "test/pools/stableswap/vectors.test.ts",
      "test/pools/stableswap/metapool-vectors.test.ts",
      "test/venues/curve-native-and-meta.test.ts",
      "test/venues/curve-and-vault.test.ts",
      "test/settlement/venues/curve-and-vault.test.ts",
    ],
  },
  "balancer-v2": {
    pools:
      "weighted of every version, composable stable (rates, ramps by time, the pool's own share traded too) and MetaStable; no managed tokens",
    rereads: "fees, pauses, amplification, rates, what the protocol is owed",
    contracts: [
      ...["BalancerVault", "BalancerWeightedPool", "BalancerComposableStablePool", "BalancerWeightedPoolV1Factory"],
      ...["BalancerWeightedPool2TokensFactory", "BalancerMetaStablePoolFactory"],
    ],
    truth:
      "the makers' bytecode as it stands on mainnet (first and third weighted, third composable stable, MetaStable; once also the second and fourth weighted, the fourth to sixth stable); answers of first weighted, MetaStable and other pools on mainnet (all equal)",
    tests: [
      "test/pools/weighted/exactness.test.ts",
      "test/pools/composable-stable/exactness.test.ts",
      "test/venues/balancer-v2.test.ts",
      "test/venues/balancer-first.test.ts",
      "test/vectors/onchain.test.ts",
    ],
  },
  "curve-cryptoswap": {
    pools:
      "twocrypto-NG and tricrypto-NG, ramps by time; both generations of tricrypto before NG, not during ramps; once per route, checked against get_dy at every block",
    rereads: "everything",
    contracts: ["DevnetCryptoswap"],
    truth:
      "our own contract of the documented formulas; another team's vectors (single exchanges: all equal); of tricrypto before NG ten answers of the first pool's get_dy on mainnet (all equal), of the second generation no contract",
    tests: [
      "test/pools/cryptoswap/exactness.test.ts",
      "test/pools/cryptoswap/vectors.test.ts",
      "test/venues/cryptoswap.test.ts",
      "test/venues/tricrypto-before-ng.test.ts",
      "test/vectors/onchain.test.ts",
    ],
  },
  "balancer-v3": {
    pools: "weighted and stable (rates, ramps by time) without hooks in a swap",
    rereads: "everything",
    contracts: ["BalancerV3Vault"],
    truth: "the makers' sources, compiled by us with their settings; once also the bytecode that stands on mainnet",
    tests: ["test/pools/balancer-v3/exactness.test.ts", "test/venues/balancer-v3.test.ts"],
  },
  "balancer-v3-buffers": {
    pools:
      "buffers of ERC-4626 vaults whose previews are OpenZeppelin's, out of what they hold or through the ERC-4626 vault",
    rereads: "everything",
    contracts: ["BalancerV3Vault", "DevnetVault"],
    truth: "the makers' sources, compiled by us with their settings, over OpenZeppelin's ERC4626",
    tests: [
      "test/pools/balancer-v3-buffer/exactness.test.ts",
      "test/venues/balancer-v3-buffer.test.ts",
      "test/settlement/venues/balancer-v3-buffer.test.ts",
    ],
  },
  erc4626: {
    pools: "vaults whose four previews are OpenZeppelin's to the wei, checked at every block",
    rereads: "everything",
    contracts: ["DevnetVault"],
    truth: "OpenZeppelin's ERC4626, compiled by us; another team's vectors (that are a rate of two totals: all equal)",
    tests: [
      "test/pools/vault/exactness.test.ts",
      "test/pools/wrappers.vectors.test.ts",
      "test/venues/curve-and-vault.test.ts",
      "test/settlement/venues/curve-and-vault.test.ts",
    ],
  },
  "rate-token": {
    pools: "tokens with wstETH's interface (wrap, unwrap) over a plain token, their rate checked at every block",
    rereads: "everything",
    contracts: ["DevnetRateToken"],
    truth:
      "our own contract of the documented formulas; another team's vectors (that are a rate of two totals: all equal)",
    tests: [
      "test/pools/wrappers.exactness.test.ts",
      "test/pools/wrappers.vectors.test.ts",
      "test/venues/wrappers.test.ts",
    ],
  },
  psm: {
    pools: "price stability modules with DssLitePsm's interface: fees per direction, halts, what they hold",
    rereads: "everything",
    contracts: ["DevnetPsm"],
    truth: "our own contract of the documented formulas",
    tests: ["test/pools/wrappers.exactness.test.ts", "test/venues/wrappers.test.ts"],
  },
};

/** Market makers, which are no venues of a chain, by their kind in the API. */
export const MAKER_KINDS: { readonly [K in "maker" | "rfq"]: SourceKind } = {
  maker: {
    pools: "price levels, piecewise linear, and firm orders for them",
    rereads: "levels come as the maker sends them",
    contracts: ["OrderSettlement"],
    truth:
      "our own contract, each level an order of its own; another team's vectors of order books (18 of 18 that are levels)",
    tests: [
      "test/pools/signed-order/exactness.test.ts",
      "test/pools/levels/vectors.test.ts",
      "test/makers/random-quotes.test.ts",
    ],
  },
  rfq: {
    pools: "firm orders, once or in part",
    rereads: "asked for with the quote",
    contracts: ["OrderSettlement"],
    truth: "our own contract",
    tests: [
      "test/pools/signed-order/exactness.test.ts",
      "test/settlement/venues/maker-orders.test.ts",
      "test/makers/random-quotes.test.ts",
    ],
  },
};
