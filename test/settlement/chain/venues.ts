import { bundled } from "../../../src/devnet/bundle.ts";
import { type Address, NATIVE_TOKEN, toAddress } from "../../../src/domain/address.ts";
import { type Fill, SHARE_ONE } from "../../../src/domain/route.ts";
import type { Tick } from "../../../src/pools/concentrated/state.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import { deploySettlement } from "../../../src/settlement/deployment.ts";
import { createSettlement } from "../../../src/settlement/settlement.ts";
import { type AnyAction, CODECS } from "../../../src/venues/index.ts";
import { WRAP_GAS } from "../../../src/venues/wrapped-native/source.ts";
import { ticksOf } from "../pools/ticks.ts";
import { compiled, startNode } from "./node.ts";

const Q96 = 1n << 96n;
const PRICE_ONE = Q96;
const plainToken = compiled("PlainToken");
const weth9 = bundled("WETH9");
const v2Pair = bundled("UniswapV2Pair");
const v3Pool = bundled("UniswapV3Pool");

export const UNIT = 10n ** 18n;
const RICH = 1_000_000n * UNIT;

export type World = Awaited<ReturnType<typeof createWorld>>;

/** Real venues on an anvil of their own: WETH, three tokens, Uniswap V2, Pancake V2 and Uniswap V3 pools between them. */
export async function createWorld() {
  const node = await startNode();
  const [owner, taker, other, integrator] = node.accounts as [Address, Address, Address, Address];

  const weth = await node.deploy(weth9);
  const usd = await node.deploy(plainToken);
  const dai = await node.deploy(plainToken);
  const gem = await node.deploy(plainToken);
  const seeder = await node.deploy(compiled("PoolSeeder"));
  const uniswapV2 = await node.deploy(bundled("UniswapV2Factory"), owner);
  const pancakeV2 = await node.deploy(bundled("PancakeFactory"), owner);
  const uniswapV3 = await node.deploy(bundled("UniswapV3Factory"));
  await node.send({ from: owner, to: weth, data: "0xd0e30db0", value: 5_000n * UNIT });

  async function give(token: Address, to: Address, amount: bigint): Promise<void> {
    if (token === weth) await node.write(owner, weth, weth9.abi, "transfer", to, amount);
    else await node.write(owner, token, plainToken.abi, "mint", to, amount);
  }

  /** Parts per million of the fee by pair. */
  const fees = new Map<Address, number>();
  const ticksByPool = new Map<Address, readonly Tick[]>();
  const pools = new Map<Address, readonly [Address, Address]>();
  const sorted = (a: Address, b: Address) => (a < b ? ([a, b] as const) : ([b, a] as const));

  async function pair(factory: Address, feePpm: number, a: Address, b: Address, amountA: bigint, amountB: bigint) {
    const abi = bundled("UniswapV2Factory").abi;
    await node.write(owner, factory, abi, "createPair", a, b);
    const address = toAddress(await node.read<string>(factory, abi, "getPair", a, b));
    await give(a, address, amountA);
    await give(b, address, amountB);
    await node.write(owner, address, v2Pair.abi, "mint", owner);
    fees.set(address, feePpm);
    pools.set(address, sorted(a, b));
    return address;
  }

  /** A pool at price one: two nested positions, so that large swaps cross ticks. */
  async function pool(feePpm: number, spacing: number, a: Address, b: Address, liquidity: bigint) {
    const abi = bundled("UniswapV3Factory").abi;
    await node.write(owner, uniswapV3, abi, "createPool", a, b, feePpm);
    const address = toAddress(await node.read<string>(uniswapV3, abi, "getPool", a, b, feePpm));
    await node.write(owner, address, v3Pool.abi, "initialize", PRICE_ONE);
    await give(a, seeder, liquidity);
    await give(b, seeder, liquidity);
    const seederAbi = compiled("PoolSeeder").abi;
    const ranges = [
      { half: 600 * spacing, amount: liquidity / 4n },
      { half: 10 * spacing, amount: liquidity },
    ];
    for (const { half, amount } of ranges) {
      await node.write(owner, seeder, seederAbi, "seed", address, -half, half, amount);
    }
    ticksByPool.set(address, ticksOf(ranges));
    fees.set(address, feePpm);
    pools.set(address, sorted(a, b));
    return address;
  }

  const venues = {
    usdWeth: await pair(uniswapV2, 3_000, usd, weth, 500n * UNIT, 500n * UNIT),
    usdDai: await pair(uniswapV2, 3_000, usd, dai, 90_000n * UNIT, 100_000n * UNIT),
    daiGem: await pair(uniswapV2, 3_000, dai, gem, 70_000n * UNIT, 50_000n * UNIT),
    usdDaiPancake: await pair(pancakeV2, 2_000, usd, dai, 60_000n * UNIT, 61_000n * UNIT),
    usdWethV3: await pool(3_000, 60, usd, weth, 1_000n * UNIT),
    usdDaiV3: await pool(500, 10, usd, dai, 1_000_000n * UNIT),
    daiGemV3: await pool(3_000, 60, dai, gem, 800_000n * UNIT),
    wethGemV3: await pool(3_000, 60, weth, gem, 1_000n * UNIT),
  };

  /** A pool's state as it is now, for the maths. */
  async function poolAt(address: Address): Promise<Pool> {
    const base = { id: address, source: "Test" };
    if (address === weth) {
      return { ...base, tokens: [NATIVE_TOKEN, weth], curve: "fixed-rate", state: { gas: WRAP_GAS } };
    }
    const tokensOf = pools.get(address)!;
    const feePpm = fees.get(address)!;
    const ticks = ticksByPool.get(address);
    if (ticks === undefined) {
      const [reserve0, reserve1] = await node.read<[bigint, bigint, number]>(address, v2Pair.abi, "getReserves");
      const state = { reserves: [reserve0, reserve1], feeNum: BigInt(feePpm) / 1_000n, feeDen: 1_000n } as const;
      return { ...base, tokens: tokensOf, curve: "constant-product", state };
    }
    const [sqrtPriceX96, tick] = await node.read<[bigint, number]>(address, v3Pool.abi, "slot0");
    const liquidity = await node.read<bigint>(address, v3Pool.abi, "liquidity");
    const tickSpacing = await node.read<number>(address, v3Pool.abi, "tickSpacing");
    const state = { sqrtPriceX96, tick, liquidity, feePpm, tickSpacing, ticks };
    return { ...base, tokens: tokensOf, curve: "concentrated", state };
  }

  function actionOf(fill: Fill): AnyAction {
    const address = toAddress(fill.poolId);
    if (address === weth) return { action: "wrapped-native", wrapped: weth };
    return ticksByPool.has(address)
      ? { action: "v3-pool", pool: address }
      : { action: "v2-pair", pair: address, feePpm: fees.get(address)! };
  }

  /** Every pool as it is at the start of each test. */
  const states = new Map<Address, Pool>([[weth, await poolAt(weth)]]);

  async function balance(token: Address, of: Address): Promise<bigint> {
    if (token === NATIVE_TOKEN) return node.nativeBalance(of);
    return node.read<bigint>(token, plainToken.abi, "balanceOf", of);
  }

  await deploySettlement(node.deployer, weth);
  const settlement = createSettlement({ codecs: CODECS, wrappedNative: weth, deployed: true });
  async function tradeOnce(pool: Address, sellToken: Address, buyToken: Address): Promise<void> {
    const amounts = { sellAmount: UNIT / 1_000n, buyAmount: 1n };
    const tokens = { sellToken, buyToken };
    const fill = { poolId: pool, source: "Test", ...tokens, ...amounts, gas: 0n, share: SHARE_ONE };
    const terms = {
      ...tokens,
      maxSellAmount: amounts.sellAmount,
      minBuyAmount: 1n,
      recipient: taker,
      deadline: 2n ** 40n,
    };
    const route = { kind: "exactIn", ...tokens, ...amounts, fills: [fill] } as const;
    await node.send({ from: taker, ...settlement.encode(route, terms, actionOf) });
  }

  for (const token of [usd, dai, gem, weth]) {
    await node.write(taker, token, plainToken.abi, "approve", settlement.allowanceTarget, 2n ** 256n - 1n);
    await give(token, taker, token === weth ? 100n * UNIT : RICH);
  }

  // A pool's first swaps are dearer than all later ones: their slots are still empty.
  for (const address of Object.values(venues)) {
    await node.rpc("evm_increaseTime", 12);
    for (const [sellToken, buyToken] of [pools.get(address)!, pools.get(address)!.toReversed() as [Address, Address]]) {
      await tradeOnce(address, sellToken, buyToken);
    }
    states.set(address, await poolAt(address));
  }
  for (const token of [usd, dai, gem, weth]) await give(token, integrator, UNIT);

  let saved = await node.rpc<string>("evm_snapshot");
  /** Puts the chain back to how it was created. */
  async function restore(): Promise<void> {
    await node.rpc("evm_revert", saved);
    saved = await node.rpc<string>("evm_snapshot");
  }
  /** Makes the chain as it is now the state that `restore` puts back. */
  async function keep(): Promise<void> {
    saved = await node.rpc<string>("evm_snapshot");
  }

  /** A new Uniswap V2 pair between two tokens, for tests that bring a token of their own. */
  const newPair = (a: Address, b: Address) => pair(uniswapV2, 3_000, a, b, 1_000n * UNIT, 1_000n * UNIT);

  /** And a new Uniswap V3 pool. */
  const newPool = (a: Address, b: Address, liquidity = 10_000n * UNIT) => pool(3_000, 60, a, b, liquidity);

  return {
    ...{ newPair, newPool, poolAt, keep, states: states as ReadonlyMap<Address, Pool>, restore },
    ...{ node, owner, taker, other, integrator, weth, usd, dai, gem, venues },
    ...{ settlement, actionOf, balance, give },
  };
}
