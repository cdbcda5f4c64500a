import { encodeDeployData, erc20Abi, maxUint256, parseEther } from "viem";
import type { Address } from "../domain/address.ts";
import { type BundledContract, bundled } from "./contracts/bundle.ts";
import { tokenCreationCode } from "./contracts/devnet-token-code.ts";
import { seedAlgebra } from "./markets/algebra.ts";
import { seedBalancerV2 } from "./markets/balancer-v2.ts";
import { seedBalancerV3 } from "./markets/balancer-v3.ts";
import { seedCurve, seedCurveMetapool } from "./markets/curve.ts";
import { seedCurveCrypto } from "./markets/curve-crypto.ts";
import { openDesk } from "./markets/desk.ts";
import { DEPLOYMENT_ORDER } from "./markets/devnet-layout.ts";
import { firstTrades } from "./markets/first-trades.ts";
import { seedInfinityCl } from "./markets/infinity-cl.ts";
import { seedLiquidityBook } from "./markets/liquidity-book.ts";
import { seedPancakeV3 } from "./markets/pancake-v3.ts";
import { seedSlipstream } from "./markets/slipstream.ts";
import { seedSolidly } from "./markets/solidly.ts";
import { seedTaxedTokens } from "./markets/taxed-tokens.ts";
import { seedUniswapV4 } from "./markets/uniswap-v4.ts";
import { mintPosition } from "./markets/v3-position.ts";
import { seedWrappers } from "./markets/wrappers.ts";
import { callWith, type Transaction } from "./node/node-transactions.ts";
import { type FeeTier, TICK_SPACING } from "./plan/catalog.ts";
import type { DevnetLayout, DevnetToken } from "./plan/layout.ts";
import { positionsAround, sqrtPriceX96, unitsWorth } from "./plan/liquidity.ts";
import { type PlannedPool, plannedPools } from "./plan/planned-pools.ts";

/** The transactions of the whale that make the devnet, one list per block. */
export function seedBlocks(layout: DevnetLayout, whale: Address): readonly (readonly Transaction[])[] {
  const pools = plannedPools(layout);
  return [
    deployments(layout, whale),
    [...tokenDeployments(layout, whale), ...approvals(layout)],
    pools.flatMap((pool) => (pool.venue === "uniswap-v2" ? uniswapV2Pool(layout, whale, pool) : [])),
    pools.flatMap((pool) => (pool.venue === "pancake-v2" ? pancakeV2Pool(layout, whale, pool) : [])),
    pools.flatMap((pool) => (typeof pool.venue === "number" ? uniswapV3Pool(layout, whale, pool, pool.venue) : [])),
    firstTrades(layout, whale),
    seedSolidly(layout),
    [...openDesk(layout), ...seedPancakeV3(layout)],
    seedUniswapV4(layout, whale),
    seedAlgebra(layout),
    seedSlipstream(layout),
    seedCurve(layout),
    seedCurveCrypto(layout),
    seedWrappers(layout, whale),
    seedCurveMetapool(layout),
    seedBalancerV2(layout, whale),
    seedBalancerV3(layout),
    seedLiquidityBook(layout, whale),
    seedInfinityCl(layout, whale),
    seedTaxedTokens(layout, whale),
  ];
}

const SUPPLY_USD = 1_000_000_000n;
const WRAPPED_BY_WHALE = parseEther("5000000");

function deployments({ contracts }: DevnetLayout, whale: Address): readonly Transaction[] {
  const { weth, uniswapV2Factory, uniswapV3Factory } = contracts;
  const deploy = (name: BundledContract, args: readonly unknown[]): Transaction => {
    const { abi, bytecode } = bundled(name);
    return { label: `deploy ${name}`, data: encodeDeployData({ abi, bytecode, args }) };
  };
  const transactions: Readonly<Record<(typeof DEPLOYMENT_ORDER)[number], Transaction>> = {
    weth: deploy("WETH9", []),
    uniswapV2Factory: deploy("UniswapV2Factory", [whale]),
    uniswapV2Router: deploy("UniswapV2Router02", [uniswapV2Factory, weth]),
    pancakeV2Factory: deploy("PancakeFactory", [whale]),
    uniswapV3Factory: deploy("UniswapV3Factory", []),
    // The third address describes positions as pictures; the devnet has no such contract and no call of ours needs it.
    positionManager: deploy("NonfungiblePositionManager", [uniswapV3Factory, weth, weth]),
    swapRouter: deploy("SwapRouter", [uniswapV3Factory, weth]),
    quoterV2: deploy("QuoterV2", [uniswapV3Factory, weth]),
    tickLens: deploy("TickLens", []),
  };
  return DEPLOYMENT_ORDER.map((name) => transactions[name]);
}

function tokenDeployments(layout: DevnetLayout, whale: Address): readonly Transaction[] {
  const [weth, ...others] = layout.tokens;
  const call = callWith(bundled("WETH9").abi);
  return [
    ...others.filter(isPlain).map((token) => ({
      label: `deploy ${token.symbol}`,
      data: tokenCreationCode(token, whale, unitsWorth(token, SUPPLY_USD)),
    })),
    { ...call("deposit", weth!.address, []), value: WRAPPED_BY_WHALE },
  ];
}

/** Whether a token is deployed as such, not made by a wrapper. */
function isPlain({ wrapper }: DevnetToken): boolean {
  return wrapper !== true;
}

function approvals({ contracts, tokens }: DevnetLayout): readonly Transaction[] {
  const token = callWith(erc20Abi);
  const factory = callWith(bundled("UniswapV3Factory").abi);
  return [
    ...[contracts.uniswapV2Router, contracts.positionManager].flatMap((spender) =>
      tokens.filter(isPlain).map(({ address }) => token("approve", address, [spender, maxUint256])),
    ),
    factory("enableFeeAmount", contracts.uniswapV3Factory, [100, TICK_SPACING[100]]),
  ];
}

function uniswapV2Pool({ contracts }: DevnetLayout, whale: Address, pool: PlannedPool): readonly Transaction[] {
  const { token0, token1 } = pool;
  const router = callWith(bundled("UniswapV2Router02").abi);
  const [amount0, amount1] = sides(pool);
  return [
    router("addLiquidity", contracts.uniswapV2Router, [
      ...[token0.address, token1.address, amount0, amount1],
      ...[0n, 0n, whale, maxUint256],
    ]),
  ];
}

/** There is no router of this venue's makers in the bundle: the pair is filled as a router would. */
function pancakeV2Pool(layout: DevnetLayout, whale: Address, pool: PlannedPool): readonly Transaction[] {
  const { token0, token1 } = pool;
  const token = callWith(erc20Abi);
  const address = layout.pairAddress("pancake-v2", token0.address, token1.address);
  const [amount0, amount1] = sides(pool);
  return [
    callWith(bundled("PancakeFactory").abi)("createPair", layout.contracts.pancakeV2Factory, [
      token0.address,
      token1.address,
    ]),
    token("transfer", token0.address, [address, amount0]),
    token("transfer", token1.address, [address, amount1]),
    callWith(bundled("PancakePair").abi)("mint", address, [whale]),
  ];
}

/** The two deposits of a constant-product pool; token1's is larger where token0 is worth more. */
function sides({ token0, token1, sideUsd, offsetPpm }: PlannedPool): readonly [bigint, bigint] {
  return [unitsWorth(token0, sideUsd), (unitsWorth(token1, sideUsd) * (1_000_000n + offsetPpm)) / 1_000_000n];
}

function uniswapV3Pool(layout: DevnetLayout, whale: Address, pool: PlannedPool, fee: FeeTier): readonly Transaction[] {
  const { token0, token1, offsetPpm, aside } = pool;
  const price = sqrtPriceX96(token0, token1, offsetPpm);
  const terms = [token0.address, token1.address, fee, price];
  return [
    callWith(bundled("NonfungiblePositionManager").abi)(
      "createAndInitializePoolIfNecessary",
      layout.contracts.positionManager,
      terms,
    ),
    ...positionsAround(price, fee, aside).map((shape) => mintPosition(layout, whale, { pool, fee }, shape)),
  ];
}
