import type { BuiltInFee } from "./universe.ts";

/** Another router, and what the comparison has to know of it. */
export interface Contestant {
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
  readonly fee: BuiltInFee;
  /** What has to be installed for it. */
  readonly package?: string;
  readonly v2Only?: true;
  /** Knows one constant-product pool of a pair, by its tokens. */
  readonly deepestOnly?: true;
  /** How many units of time it may take of each universe; requests after that are not asked. */
  readonly patience: number;
}

export const USUAL_FEE: BuiltInFee = { feeNum: 3n, feeDen: 1000n };
export const PANCAKE_FEE: BuiltInFee = { feeNum: 25n, feeDen: 10_000n };

const PANCAKE = { file: "pancake.mjs", fee: PANCAKE_FEE, package: "@pancakeswap/smart-router" };

export const CONTESTANTS: readonly Contestant[] = [
  { name: "greedy, 1,000 chunks", file: "greedy.ts", args: [], fee: USUAL_FEE, patience: 3 },
  {
    name: "Uniswap AlphaRouter",
    file: "uniswap.mjs",
    args: [],
    fee: USUAL_FEE,
    package: "@uniswap/smart-order-router",
    deepestOnly: true,
    patience: 1.5,
  },
  {
    name: "Balancer SOR",
    file: "balancer.mjs",
    args: [],
    fee: USUAL_FEE,
    package: "@balancer-labs/sor",
    v2Only: true,
    patience: 1.5,
  },
  { ...PANCAKE, name: "Pancake Infinity", args: ["infinity"], patience: 1 },
  { ...PANCAKE, name: "Pancake SmartRouter", args: ["smart"], patience: 1.5 },
];
