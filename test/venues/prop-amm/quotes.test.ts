import { decodeFunctionResult, encodeDeployData, type Hex } from "viem";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { ChainRecord } from "../../../src/chain/chains/chain-record.ts";
import { type Address, NATIVE_TOKEN, toAddress } from "../../../src/domain/address.ts";
import { FRACTION_ONE, type SwapRequest } from "../../../src/quoting/answer/types.ts";
import { pairRef } from "../../../src/venues/prop-amm/pairs.ts";
import { execute } from "../../promise/execute.ts";
import type { TestDevnet } from "../../support/worlds/devnet.ts";
import { type SwapWorld, startSwapWorld, testAccount } from "../../support/worlds/swap-world.ts";
import { compiled } from "../worlds/compiled.ts";
import { MANNER, propAmmAbi, propAmmCall } from "../worlds/prop-amm.ts";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const FOREVER = (1n << 256n) - 1n;
const USD = 10n ** 6n;
const ETHER = 10n ** 18n;
/** Approximate price of the devnet's WETH. */
const DOLLARS = 2_140n;
const TAKER = testAccount(3_706);
const [SENT, DRAWN] = ["Prop_AMM", "Drawing_AMM"];
const MAX_BLOCKS = 12;

let world: SwapWorld;
let [usdh, weth]: Address[] = [];
let [sent, drawn]: Address[] = [];
/** Base units of WETH for one of USDH in parts of 10^18, as all other sources trade. */
let fair: bigint;

async function deploy(devnet: TestDevnet, draws: boolean): Promise<Address> {
  const { abi, bytecode } = compiled("DevnetPropAmm");
  // About what it is worth: amounts that are sampled are found by the first prices.
  const middle = middleOf((ETHER * ETHER) / (DOLLARS * USD));
  const firstLevel = usdh! < weth! ? 20_000n * USD : 8n * ETHER;
  const args = [usdh, weth, draws, middle, firstLevel, devnet.whale];
  const data = encodeDeployData({ abi, bytecode, args });
  const venue = toAddress((await devnet.sendTransaction(devnet.whale, { data })).contractAddress!);
  await devnet.fund(usdh!, venue, 2_000_000n * USD);
  await devnet.fund(weth!, venue, 500n * ETHER);
  await devnet.sendTransaction(devnet.whale, { to: venue, data: propAmmCall("sync") });
  return venue;
}

/** A price of WETH for USDH in the contract's order. */
function middleOf(worth: bigint): bigint {
  return usdh! < weth! ? worth : (ETHER * ETHER) / worth;
}

function withVenues(record: ChainRecord): ChainRecord {
  const terms = { protocol: "prop-amm", fromBlock: 0n } as const;
  const pairs: [Address, Address][] = [[usdh!, weth!]];
  const venues = [
    { ...terms, source: SENT!, venue: sent!, payment: "sent", pairs } as const,
    // Its pairs are listed by itself.
    { ...terms, source: DRAWN!, venue: drawn!, payment: "drawn", holder: drawn! } as const,
  ];
  return { ...record, venues: [...record.venues, ...venues] };
}

beforeAll(async () => {
  world = await startSwapWorld({
    makers: async (devnet) => {
      [usdh, weth] = ["USDH", "WETH"].map((name) => devnet.tokens.find(({ symbol }) => symbol === name)!.address);
      [sent, drawn] = [await deploy(devnet, false), await deploy(devnet, true)];
      return [];
    },
    record: withVenues,
  });
  const { devnet } = world;
  await devnet.fund(usdh!, TAKER, 10_000_000n * USD);
  await devnet.fund(NATIVE_TOKEN, TAKER, 10n * ETHER);
  await devnet.approve(usdh!, TAKER, world.settlement.allowanceTarget, FOREVER);
  await world.follow();
  const others = await world.quote(sale(1_000n * USD, { kind: "without", ids: [SENT!, DRAWN!] }));
  fair = (others.buyAmount * ETHER) / (1_000n * USD);
  await post(1_003n);
  // Every source is tried once by itself, one a block: what comes later is said of a pool.
  for (const _ of world.devnet.chain.venues) {
    await world.devnet.mine();
    await world.follow();
    await world.price(sale(1_000n * USD, only(SENT!)));
  }
});
afterAll(() => world?.stop());

function sale(sellAmount: bigint, sources: SwapRequest["sources"]): SwapRequest {
  const token = (address: Address) => world.devnet.tokens.find((listed) => listed.address === address)!;
  return {
    ...{ sellToken: token(usdh!), buyToken: token(weth!), amount: { kind: "exactIn", sellAmount } },
    ...{ slippage: FRACTION_ONE / 100n, taker: TAKER, sources, skipValidation: false },
  };
}
const only = (...ids: string[]) => ({ kind: "only", ids }) as const;
const ALL = { kind: "all" } as const;

/** Both contracts' middles, in parts of a thousand of what others pay, until a block, and the next block as the service sees it. */
async function post(perMille: bigint, lastBlock = FOREVER): Promise<void> {
  const middle = middleOf((fair * perMille) / 1_000n);
  for (const venue of [sent!, drawn!]) await send(venue, "post", [middle, lastBlock]);
  await world.follow();
}

async function send(venue: Address, functionName: string, args: readonly unknown[]): Promise<void> {
  const { devnet } = world;
  const data = propAmmCall(functionName, args);
  const receipt = await devnet.sendTransaction(devnet.whale, { to: venue, data });
  if (!receipt.succeeded) throw new Error(`${functionName} reverted`);
}

/** Quote of a contract at the newest block. */
async function quoted(venue: Address, amount: bigint): Promise<bigint> {
  const data = propAmmCall("quote", [usdh, weth, amount]);
  const answer = await world.devnet.rpc<Hex>("eth_call", [{ to: venue, data }, "latest"]);
  return decodeFunctionResult({ abi: propAmmAbi, functionName: "quote", data: answer }) as bigint;
}

const stateOf = (source: string) => world.quoting.listSources().find(({ name }) => name === source)!;

/** Mines blocks until `holds`, at most a few. */
async function mineUntil(holds: () => boolean | Promise<boolean>): Promise<number> {
  for (let blocks = 0; blocks < MAX_BLOCKS; blocks++) {
    if (await holds()) return blocks;
    await world.devnet.mine();
    await world.follow();
  }
  throw new Error("it has not come about");
}

describe("a contract that sets its own prices", () => {
  it("is quoted at what it says for the very amount, and pays that", async () => {
    await mineUntil(() => stateOf(DRAWN!).pools === 1);
    for (const [source, venue] of [
      [SENT, sent],
      [DRAWN, drawn],
    ] as const) {
      for (const amount of [1_234_567n, 12_345_678_901n, 333_333_333_333n]) {
        const answer = await world.quote(sale(amount, only(source!)));
        expect(answer.buyAmount).toBe(await quoted(venue!, amount));
        expect(answer.issues.simulationIncomplete).toBe(false);
        const done = await execute(world, answer, TAKER);
        expect([done.sold, done.bought, done.leftBehind]).toEqual([amount, answer.buyAmount, []]);
      }
    }
  });

  it("has an indicative price of no more than that, and with a taker of just that", async () => {
    const amount = 43_210_987_654n;
    const { taker: _, ...nobody } = sale(amount, only(SENT!));
    const indicative = await world.price({ ...nobody, skipValidation: true });
    const paid = await quoted(sent!, amount);
    expect(indicative.buyAmount).toBeLessThanOrEqual(paid);
    expect(indicative.buyAmount * 1_000n).toBeGreaterThan(paid * 997n);
    expect((await world.price(sale(amount, only(SENT!)))).buyAmount).toBe(paid);
  });

  it("shares a trade with others, and moves with every block", async () => {
    for (const perMille of [1_004n, 1_002n, 1_003n]) {
      await post(perMille);
      const amount = 400_000n * USD;
      const answer = await world.quote(sale(amount, ALL));
      const used = new Set(answer.route.fills.map(({ source }) => source));
      expect(used.has(SENT!) || used.has(DRAWN!)).toBe(true);
      expect(used.size).toBeGreaterThan(1);
      const done = await execute(world, answer, TAKER);
      expect([done.sold, done.bought, done.leftBehind]).toEqual([amount, answer.buyAmount, []]);
      const others = await world.quote(sale(amount, { kind: "without", ids: [SENT!, DRAWN!] }));
      expect(answer.buyAmount).toBeGreaterThan(others.buyAmount);
    }
  });

  it("is left out with all its pairs by its address", async () => {
    const limits = { excludedPools: [sent!, drawn!], excludedTokens: [], connectorTokens: [] };
    const usedBy = async (request: SwapRequest) => (await world.quote(request)).route.fills.map(({ source }) => source);
    const among = expect.arrayContaining([expect.stringMatching(`^(${SENT}|${DRAWN})$`)]);
    const request = sale(400_000n * USD, ALL);
    expect(await usedBy(request)).toEqual(among);
    expect(await usedBy({ ...request, limits })).not.toEqual(among);
    const others = { ...limits, excludedPools: [usdh!] };
    expect(await usedBy({ ...request, limits: others })).toEqual(among);
  });

  it("is counted as paused while it is switched off, and is back with the next block", async () => {
    await send(sent!, "set", [false, MANNER.honest]);
    await world.follow();
    expect(stateOf(SENT!).pools).toBe(0);
    await world.devnet.mine();
    await world.follow();
    expect(stateOf(SENT!).leftOut).toEqual([{ reason: "PAUSED", pools: 1 }]);
    await send(sent!, "set", [true, MANNER.honest]);
    await world.follow();
    expect(stateOf(SENT!)).toMatchObject({ pools: 1, leftOut: [] });
  });
});

describe("a contract that breaks its word", () => {
  const broken = Object.entries(MANNER).filter(([name]) => name !== "honest");

  it.each(broken)("(%s) is never promised, is put aside after two trials, and comes back", async (_, manner) => {
    const id = pairRef(sent!, usdh!, weth!).id;
    await post(1_003n);
    await send(sent!, "set", [true, manner]);
    await world.follow();
    const promised = async () => {
      const answer = await world.quote(sale(200_000n * USD, ALL));
      const done = await execute(world, answer, TAKER);
      expect([done.sold, done.bought]).toEqual([200_000n * USD, answer.buyAmount]);
      return answer.route.fills.map(({ source }) => source);
    };
    expect(await promised()).not.toContain(SENT);
    await expect(world.quote(sale(200_000n * USD, only(SENT!)))).rejects.toThrow("would fail");
    expect(world.chain.status().quarantined.size).toBe(0);

    await mineUntil(async () => {
      await promised();
      return world.chain.status().quarantined.has(id);
    });
    expect(world.chain.status().quarantined.get(id)).toMatch(/^its swaps fail: /);
    await world.devnet.mine();
    await world.follow();
    expect(stateOf(SENT!).leftOut).toEqual([{ reason: "PUT_ASIDE", pools: 1 }]);
    expect(world.chain.status().leftOut()).toContainEqual({ source: SENT, reason: "PUT_ASIDE", pools: 1 });

    await send(sent!, "set", [true, MANNER.honest]);
    await world.follow();
    world.chain.release(id);
    await mineUntil(() => world.chain.status().quarantined.size === 0);
    const answer = await world.quote(sale(5_000n * USD, only(SENT!)));
    expect(answer.buyAmount).toBe(await quoted(sent!, 5_000n * USD));
  });
});
