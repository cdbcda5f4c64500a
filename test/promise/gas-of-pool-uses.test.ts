import { encodeFunctionData, numberToHex } from "viem";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ownContract } from "../../src/devnet/contracts/own-contracts.ts";
import type { Address } from "../../src/domain/address.ts";
import { type Route, SHARE_ONE } from "../../src/domain/route.ts";
import type { Snapshot } from "../../src/market/snapshot.ts";
import { mathOf, type Pool, servesExactOut } from "../../src/pools/pool.ts";
import { type Direction, isRejection } from "../../src/pools/pool-math.ts";
import { type BrokenPlan, evaluatePlan } from "../../src/routing/plan/execution.ts";
import { CREATE2_DEPLOYER } from "../../src/settlement/create2-deployer.ts";
import { type SwapWorld, startSwapWorld, testAccount } from "../support/worlds/swap-world.ts";
import { outfit } from "./execute.ts";
import { directionsOf, useAllPools } from "./in-use.ts";

/**
 * Source of the gas model's constants: each pool of the devnet alone, each way by either amount, sold to once and
 * twice. Prints its measurements, so that constants can be read off. DIRECTIONS in the environment: number of directions
 * per source.
 */
const DIRECTIONS = Number(process.env.DIRECTIONS ?? 2);
const TAKER = testAccount(1);
const TRADER = testAccount(3);
/** Part of a rate that a trade leaves of it, so that it crosses no tick. */
const LEFT = 0.9999;
const MOST = 0.15;
const MAX_OF_SOLIDLY = 0.08;

let world: SwapWorld;
let snapshot: Snapshot;

beforeAll(async () => {
  world = await startSwapWorld();
  await outfit(world, [TAKER, TRADER]);
  await useAllPools(world, await world.follow(), TRADER);
  snapshot = await world.follow();
}, 300_000);
afterAll(() => world?.stop());

it(`the gas of a pool use of every source is within ${100 * MOST} % of the model`, { timeout: 300_000 }, async () => {
  const measured = new Map<string, Map<string, Measured[]>>();
  const wrong: string[] = [];
  const looked = new Map<string, number>();
  for (const pool of snapshot.graph.all()) {
    for (const direction of directionsOf(pool)) {
      const kind = `${pool.source} ${pool.curve}${"stable" in pool.state && pool.state.stable ? ", stable" : ""}`;
      if ((looked.get(kind) ?? 0) === DIRECTIONS) continue;
      const routes = routesOver(pool, direction);
      if (routes === undefined) continue;
      looked.set(kind, (looked.get(kind) ?? 0) + 1);
      for (const [name, route] of Object.entries(routes)) {
        if ("broken" in route) continue;
        const { used, model } = await run(pool, route);
        const of = measured.get(kind) ?? new Map<string, Measured[]>();
        measured.set(kind, of.set(name, [...(of.get(name) ?? []), { used, model }]));
        if (Math.abs(model / used - 1) > MOST) wrong.push(`${kind} ${name}: ${model} for ${used}`);
      }
    }
  }
  for (const [kind, of] of measured) {
    const row = [...of].map(([name, all]) => {
      const used = all.map((each) => each.used).toSorted((a, b) => a - b);
      const more = all.map((each) => each.model - each.used).toSorted((a, b) => a - b);
      return `${name} ${used[0]} to ${used.at(-1)} (model ${more[0]} to ${more.at(-1)} more)`;
    });
    process.stdout.write(`${kind}: ${row.join(", ")}\n`);
  }
  expect(wrong).toEqual([]);
  const sources = new Set(snapshot.graph.all().map(({ source }) => source));
  expect(new Set([...measured.keys()].map((kind) => kind.split(" ")[0]))).toEqual(sources);
});

it("a Solidly pool writes its price down once it was quiet for half an hour, and transfers no fee where there is none", async () => {
  const { devnet } = world;
  const usedNow = async () => {
    const all: Record<"used" | "model", number>[] = [];
    for (const pool of snapshot.graph.all()) {
      if (pool.curve !== "solidly") continue;
      for (const route of Object.values(routesOver(pool, { sell: 0, buy: 1 }) ?? {}))
        if (!("broken" in route)) all.push(await run(pool, route));
    }
    for (const { used, model } of all) expect(Math.abs(model / used - 1)).toBeLessThan(MAX_OF_SOLIDLY);
    return all.map(({ used }) => used);
  };
  const usual = await usedNow();
  await devnet.mine(Number(snapshot.graph.time) + 1_801);
  snapshot = await world.follow();
  const quiet = await usedNow();
  const { abi } = ownContract("DevnetSolidlyFactory");
  await devnet.rpc("anvil_setBalance", [CREATE2_DEPLOYER, numberToHex(10n ** 20n)]);
  for (const { id, curve } of snapshot.graph.all()) {
    if (curve !== "solidly") continue;
    const data = encodeFunctionData({ abi, functionName: "setCustomFee", args: [id, 420n] });
    await devnet.sendTransaction(CREATE2_DEPLOYER, { to: devnet.contracts.solidlyFactory, data });
  }
  snapshot = await world.follow();
  const free = await usedNow();
  expect(usual.length).toBeGreaterThan(16);
  for (const [index, used] of usual.entries()) {
    expect(quiet[index]! - used).toBeGreaterThan(68_000);
    expect(quiet[index]! - free[index]!).toBeGreaterThan(12_000);
  }
}, 120_000);

/** A small trade with one pool alone, in one pool use and in two; undefined where the pool cannot be sold to. */
function routesOver(pool: Pool, direction: Direction): Record<string, Route | BrokenPlan> | undefined {
  const { time } = snapshot.graph;
  const math = mathOf(pool);
  const curve = math.curve(pool.state, direction, time);
  if (curve === undefined) return undefined;
  const most = Math.min(curve.sellAmountAtRate(curve.marginalRate(0) * LEFT), curve.maxSell / 8, 1e18);
  const sellAmount = BigInt(Math.floor(most));
  const quote = math.quoteExactIn(pool.state, direction, sellAmount, time);
  if (isRejection(quote)) return undefined;
  const tokens = { sellToken: pool.tokens[direction.sell]!, buyToken: pool.tokens[direction.buy]! };
  const [half, rest] = [SHARE_ONE / 2n, SHARE_ONE].map((share) => ({ pool, direction, share })) as [PoolUse, PoolUse];
  const sell = { kind: "exactIn", ...tokens, sellAmount } as const;
  const buy = { kind: "exactOut", ...tokens, buyAmount: quote.amount / 2n } as const;
  return {
    sold: evaluatePlan([rest], sell, time),
    "sold twice": evaluatePlan([half, rest], sell, time),
    ...(servesExactOut(pool) && { bought: evaluatePlan([rest], buy, time) }),
  };
}

interface PoolUse {
  readonly pool: Pool;
  readonly direction: Direction;
  readonly share: bigint;
}

interface Measured {
  readonly used: number;
  readonly model: number;
}

async function run(pool: Pool, route: Route): Promise<Measured> {
  const { sellToken, buyToken, sellAmount } = route;
  const terms = {
    ...{ sellToken, buyToken, maxSellAmount: sellAmount, minBuyAmount: 1n },
    ...{ recipient: TAKER as Address, deadline: 2n ** 40n },
  };
  const action = world.sources.get(pool.source)!;
  const sent = world.settlement.encode(route, terms, (fill) => action.action(pool, fill));
  const receipt = await world.devnet.rolledBack(() => world.devnet.sendTransaction(TAKER, sent));
  if (!receipt.succeeded) throw new Error(`a trade with ${pool.id} of ${pool.source} failed`);
  return { used: Number(receipt.gasUsed), model: Number(world.settlement.gas(route, terms)) };
}
