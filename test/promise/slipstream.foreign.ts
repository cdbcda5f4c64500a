import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Abi, encodeDeployData, encodeFunctionData, type Hex, numberToHex, pad } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createProvider } from "../../src/chain/rpc/provider.ts";
import { createChainReader } from "../../src/chain/rpc/reader.ts";
import { ownContract } from "../../src/devnet/contracts/own-contracts.ts";
import { type Address, toAddress } from "../../src/domain/address.ts";
import type { BlockRef } from "../../src/domain/block.ts";
import { fillsOf, type Route, SHARE_ONE } from "../../src/domain/route.ts";
import type { ChainReader } from "../../src/market/chain-reader.ts";
import { createLogger } from "../../src/ops/logger.ts";
import { mathOf, type Pool } from "../../src/pools/pool.ts";
import type { Direction } from "../../src/pools/pool-math.ts";
import { evaluatePlan } from "../../src/routing/plan/execution.ts";
import { slipstream } from "../../src/venues/slipstream/source.ts";
import { type SwapWorld, startSwapWorld, testAccount } from "../support/worlds/swap-world.ts";
import { outfit } from "./execute.ts";

/**
 * Slipstream's own pools and factory, read by the source: what a swap pays, to the wei, and the gas
 * that it uses, whatever is staked and whoever sets the fees. Their ABI and bytecode are no part of the project: the folder
 * of another team's data has them in `contracts/slipstream`, or the test is left out.
 */
const TAKER = testAccount(1);
const SPACING = 100;
const MAX_OFF = 0.15;
/** Fee that modules set, and the highest one possible; parts per million. */
const FEE = 1_234;
const MAX_FEE = 30_000;
/** Parts of a rate that trades leave of it: without a tick, and over some. */
const LEFT = [0.9999, 0.8, 0.55];
/** Code that reads a slot of its own for what it is asked about, as of a mapping, and answers 1, or 0. */
const SAYS_1 = "0x6004355450600160005260206000f3";
const SAYS_0 = "0x6004355450600060005260206000f3";
/** Gauge of every pool, alive, by the voter that says 1. */
const GAUGE = toAddress(numberToHex(1, { size: 20 }));
/** Storage slots of the pool's gauge and of the holder of positions. */
const [GAUGE_SLOT, HOLDER_SLOT] = [3, 4];

const folder = join(process.env.FOREIGN_DATA ?? "", "contracts/slipstream");
const contract = (name: string) =>
  JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8")) as { readonly abi: Abi; readonly bytecode: Hex };
/** Velodrome's voter, as far as a factory asks it. */
const voter = toAddress(`0x${"70".repeat(20)}`);

let world: SwapWorld;
let reader: ChainReader;
let factory: Address;
/** The devnet's pool that this one has price and positions of. */
let model: Extract<Pool, { curve: "concentrated" }>;
let pool: Address;

const deploy = async (name: string, args: readonly unknown[] = []): Promise<Address> => {
  const { abi, bytecode } = contract(name);
  const data = encodeDeployData({ abi, bytecode, args });
  return (await world.devnet.sendTransaction(world.devnet.whale, { data })).contractAddress as Address;
};

async function call(from: Address, to: Address, abi: Abi, functionName: string, args: readonly unknown[]) {
  const receipt = await world.devnet.sendTransaction(from, {
    to,
    data: encodeFunctionData({ abi, functionName, args }),
  });
  if (!receipt.succeeded) throw new Error(`${functionName} reverted with ${receipt.revertData}`);
  return receipt;
}

async function head(): Promise<BlockRef> {
  type Header = Record<"hash" | "parentHash" | "number" | "timestamp", Hex>;
  const { hash, parentHash, number, timestamp } = await world.devnet.rpc<Header>("eth_getBlockByNumber", [
    "latest",
    false,
  ]);
  return { hash, parentHash, number: BigInt(number), timestamp: BigInt(timestamp) };
}

const source = () => slipstream({ protocol: "slipstream", source: "Slipstream", factory, fromBlock: 0n });

/** The pool as the source reads it. */
async function readPool(): Promise<typeof model> {
  const ref = { id: pool, address: pool, tokens: model.tokens, terms: { tickSpacing: String(SPACING) } };
  const [read] = await source().sync(reader, [ref], await head());
  if (read?.curve !== "concentrated") throw new Error("the pool cannot be read");
  return read;
}

/** Positions between each two ticks, with what the model has there. */
function positions() {
  let liquidity = 0n;
  return model.state.ticks.flatMap(({ index, liquidityNet }, at, { [at + 1]: next }) => {
    liquidity += liquidityNet;
    return next === undefined || liquidity === 0n ? [] : [{ lower: index, upper: next.index, liquidity }];
  });
}

describe.skipIf(!existsSync(folder))("with the contracts of its makers", () => {
  beforeAll(async () => {
    world = await startSwapWorld();
    const { devnet } = world;
    await outfit(world, [TAKER]);
    const { graph } = await world.follow();
    const isModel = (each: Pool) =>
      each.curve === "concentrated" && each.source === "Slipstream" && each.state.tickSpacing === SPACING;
    model = graph.all().find(isModel) as typeof model;
    reader = createChainReader(
      createProvider({ url: devnet.rpcUrl, timeoutMs: 30_000, logger: createLogger("silent") }),
      devnet.chain,
    );
    await devnet.rpc("anvil_setCode", [voter, SAYS_0]);
    await devnet.rpc("anvil_setBalance", [GAUGE, numberToHex(10n ** 20n)]);
    const { whale } = devnet;
    factory = await deploy("CLFactory", [whale, whale, whale, voter, await deploy("CLPool")]);
    const create = contract("CLFactory").abi.filter(
      (item) => item.type !== "function" || item.name !== "createPool" || item.inputs.length === 4,
    );
    const { logs } = await call(whale, factory, create, "createPool", [
      ...model.tokens,
      SPACING,
      model.state.sqrtPriceX96,
    ]);
    pool = toAddress(`0x${logs.find(({ address }) => toAddress(address) === factory)!.data.slice(26)}`);
  });
  afterAll(() => world?.stop());

  /** A trade with the pool as it was read, in the next block. */
  async function trade(read: Pool, direction: Direction, sellAmount: bigint, uses = 1) {
    const { devnet, settlement } = world;
    const [sellToken, buyToken] = [read.tokens[direction.sell]!, read.tokens[direction.buy]!];
    const steps = Array.from({ length: uses }, (_, at) => ({
      pool: read,
      direction,
      share: SHARE_ONE / BigInt(uses - at),
    }));
    const { timestamp } = await head();
    const route = evaluatePlan(steps, { kind: "exactIn", sellToken, buyToken, sellAmount }, timestamp) as Route;
    const terms = {
      ...{ sellToken, buyToken, maxSellAmount: sellAmount, minBuyAmount: 1n },
      ...{ recipient: TAKER, deadline: 2n ** 40n },
    };
    const before = await devnet.balanceOf(buyToken, TAKER);
    const sent = settlement.encode(route, terms, () => source().action(read, fillsOf(route)[0]!));
    await devnet.setNextTimestamp(Number(timestamp) + 12);
    const { succeeded, gasUsed } = await devnet.sendTransaction(TAKER, sent);
    if (!succeeded) throw new Error("a trade failed");
    expect((await devnet.balanceOf(buyToken, TAKER)) - before).toBe(route.buyAmount);
    return { used: Number(gasUsed), model: Number(settlement.gas(route, terms)), bought: route.buyAmount };
  }

  const WAYS = [
    { sell: 0, buy: 1 },
    { sell: 1, buy: 0 },
  ] as const;

  /** Amount whose sale leaves the part `left` of the rate. */
  function sizeOf(read: Pool, direction: Direction, left: number): bigint {
    const curve = mathOf(read).curve(read.state, direction, 0n)!;
    return BigInt(Math.floor(curve.sellAmountAtRate(curve.marginalRate(0) * left)));
  }

  /** Trades through the ticks and back, each way: as in a pool in use. */
  async function useAll(): Promise<void> {
    for (const direction of WAYS) {
      const read = await readPool();
      const { bought } = await trade(read, direction, sizeOf(read, direction, Math.min(...LEFT)));
      await trade(await readPool(), { sell: direction.buy, buy: direction.sell }, bought);
    }
  }

  it("pays to the wei and uses the gas that it is valued with", { timeout: 300_000 }, async () => {
    const { devnet } = world;
    const { whale } = devnet;
    const desk = devnet.contracts.desk;
    const { abi: deskAbi } = ownContract("DevnetDesk");
    const stakeHalf = async () => {
      for (const { lower, upper, liquidity } of positions())
        await call(GAUGE, pool, contract("CLPool").abi, "stake", [liquidity / 2n, lower, upper]);
    };
    const settings: Readonly<Record<string, () => Promise<void>>> = {
      "without a gauge": async () => {
        for (const { lower, upper, liquidity } of positions())
          await call(whale, desk, deskAbi, "mint", [pool, lower, upper, liquidity]);
      },
      "with a module that sets its fee": async () => {
        const module = await deploy("CustomSwapFeeModule", [factory]);
        await call(whale, factory, contract("CLFactory").abi, "setSwapFeeModule", [module]);
        await call(whale, module, contract("CustomSwapFeeModule").abi, "setCustomFee", [pool, FEE]);
      },
      "with a gauge, nothing staked": async () => {
        await devnet.rpc("anvil_setCode", [voter, SAYS_1]);
        const module = await deploy("CustomUnstakedFeeModule", [factory]);
        await call(whale, factory, contract("CLFactory").abi, "setUnstakedFeeModule", [module]);
        for (const [slot, value] of [
          [GAUGE_SLOT, GAUGE],
          [HOLDER_SLOT, desk],
        ] as const)
          await devnet.rpc("anvil_setStorageAt", [pool, numberToHex(slot, { size: 32 }), pad(value)]);
      },
      "half of it staked, with rewards": async () => {
        await stakeHalf();
        const end = (await head()).timestamp + 604_800n;
        await call(GAUGE, pool, contract("CLPool").abi, "syncReward", [10n ** 16n, 10n ** 24n, end]);
      },
      "nearly all of it staked": stakeHalf,
      "with a fee out of past prices, of which it keeps one": async () => {
        const before = await readPool();
        expect(before.state).not.toHaveProperty("feeSeconds");
        const module = await deploy("DynamicSwapFeeModule", [factory, 0, MAX_FEE, [pool], [FEE]]);
        await call(whale, factory, contract("CLFactory").abi, "setSwapFeeModule", [module]);
        const read = await readPool();
        expect(read.state).toMatchObject({ feeSeconds: 600, observations: 1 });
        expect(await source().refresh?.(reader, [before], await head())).toEqual([read]);
      },
      "with enough of them, quiet for as long as it looks back": async () => {
        const before = await readPool();
        const { logs } = await call(whale, pool, contract("CLPool").abi, "increaseObservationCardinalityNext", [300]);
        const { number, hash, timestamp } = await head();
        const log = { ...logs[0]!, address: pool, blockHash: hash, blockNumber: number, logIndex: 0 };
        expect(source().apply(before, log, timestamp)).toEqual(await readPool());
        await useAll();
        await devnet.mine(Number((await head()).timestamp) + 601);
      },
      "the same, traded all the time": async () => {
        for (let count = 0; count < 30; count++)
          for (const direction of WAYS) {
            const read = await readPool();
            await trade(read, direction, sizeOf(read, direction, 0.99));
          }
      },
    };
    const wrong: string[] = [];
    for (const [name, set] of Object.entries(settings)) {
      await set();
      if (!name.includes("quiet")) await useAll();
      const read = await readPool();
      expect(read.state).toMatchObject({ family: "slipstream", feePpm: name === "without a gauge" ? 500 : FEE });
      const row: string[] = [];
      for (const direction of WAYS)
        for (const [left, uses] of [...LEFT.map((left) => [left, 1] as const), [LEFT[0]!, 2] as const]) {
          const size = sizeOf(read, direction, left);
          const { used, model: valued } = await devnet.rolledBack(() => trade(read, direction, size, uses));
          row.push(`${used} (${valued})`);
          if (Math.abs(valued / used - 1) > MAX_OFF) wrong.push(`${name}: ${valued} for ${used}`);
        }
      process.stdout.write(`${name}: ${row.join(", ")}\n`);
    }
    expect(wrong).toEqual([]);
  });
});
