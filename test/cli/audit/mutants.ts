/** One fault in the maths of a pool, and a source that has it. */
export interface PoolMutant {
  readonly name: string;
  /** In src/pools. */
  readonly file: string;
  /** Stands there exactly once. */
  readonly from: string;
  readonly to: string;
  readonly source: string;
}

/** Ten faults, most of them of one wei. */
export const MUTANTS: readonly PoolMutant[] = [
  {
    name: "a pair pays as if the sale did not move its price",
    file: "constant-product/math.ts",
    from: "return (net * bought) / (sold * feeDen + net);",
    to: "return (net * bought) / (sold * feeDen);",
    source: "Uniswap_V2",
  },
  {
    name: "a pair is asked without the last wei of its input",
    file: "constant-product/math.ts",
    from: "((bought - buyAmount) * (feeDen - feeNum)) + 1n;",
    to: "((bought - buyAmount) * (feeDen - feeNum));",
    source: "PancakeSwap_V2",
  },
  {
    name: "a crossed tick leaves the liquidity as it was",
    file: "concentrated/swap.ts",
    from: "liquidity += zeroForOne ? -initialized.liquidityNet : initialized.liquidityNet;",
    to: "liquidity += 0n;",
    source: "Uniswap_V3",
  },
  {
    name: "a fee of Solidly's is rounded up",
    file: "solidly/math.ts",
    from: "return sellAmount - (sellAmount * feeBps) / BPS;",
    to: "return sellAmount - (sellAmount * feeBps + BPS - 1n) / BPS;",
    source: "Velodrome_V2",
  },
  {
    name: "a stableswap pool keeps no wei",
    file: "stableswap/math.ts",
    from: "const gross = has - y - 1n;",
    to: "const gross = has - y;",
    source: "Curve",
  },
  {
    name: "a weighted pool takes no fee",
    file: "weighted/math.ts",
    from: "const net = sellAmount - mulUp(sellAmount, state.swapFee);",
    to: "const net = sellAmount;",
    source: "Balancer_V2",
  },
  {
    name: "a pool of unlike tokens charges its fee of one wei less",
    file: "cryptoswap/math.ts",
    from: "gross - (feeOf(state, xp) * gross) / FEE_ONE;",
    to: "gross - (feeOf(state, xp) * (gross - 1n)) / FEE_ONE + 1n;",
    source: "Curve_Crypto",
  },
  {
    name: "Balancer's third vault takes its fee of a sale twice",
    file: "balancer-v3/math.ts",
    from: "const scaled = paidFor(current, direction, given - fee);",
    to: "const scaled = paidFor(current, direction, given - fee - fee);",
    source: "Balancer_V3",
  },
  {
    name: "a vault rounds for who deposits",
    file: "vault/share-math.ts",
    from: "(sellAmount * bought) / sold;",
    to: "(sellAmount * bought) / sold + 1n;",
    source: "ERC4626",
  },
  {
    name: "a wrapped token of growing worth rounds up",
    file: "rate-token/math.ts",
    from: "const amount = (sellAmount * num) / den;",
    to: "const amount = (sellAmount * num) / den + 1n;",
    source: "Rate_Tokens",
  },
];
