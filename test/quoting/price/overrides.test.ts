import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { type Address, type Hex, NATIVE_TOKEN } from "../../../src/domain/address.ts";
import { SwapError } from "../../../src/domain/errors/swap-error.ts";
import type { Token } from "../../../src/domain/token.ts";
import type { Snapshot } from "../../../src/market/snapshot.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import {
  FRACTION_ONE,
  type PendingLog,
  type PriceAnswer,
  type SwapRequest,
} from "../../../src/quoting/answer/types.ts";
import { outfit } from "../../promise/execute.ts";
import { DEVNET_TOKENS } from "../../promise/random/random-request.ts";
import { ekuboOnDevnet } from "../../support/worlds/ekubo-on-devnet.ts";
import { type SwapWorld, startSwapWorld, testAccount } from "../../support/worlds/swap-world.ts";

/** Prices on top of the logs of swaps that the market has not seen, beside those after it has. */
const TRADER = testAccount(9_300);

/** Sources whose pools follow from their logs alone, and those of which some is read from the node. */
const FOLLOWED = [
  "Uniswap_V2",
  "PancakeSwap_V2",
  "Uniswap_V3",
  "PancakeSwap_V3",
  "Uniswap_V4",
  "Infinity_CL",
  "Algebra",
  "LFJ_V2_2",
  // Its swaps leave logs without topics.
  "Ekubo",
];
const READ = ["Velodrome_V2", "Slipstream", "Balancer_V2", "Balancer_V3", "Curve", "Curve_Crypto", "ERC4626", "PSM"];

const TRANSFER: Hex = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const SYNC: Hex = "0x1c411e9a96e071241c2f21f7726b17ae89e3cab4c78be50e062b03a9fffbbad1";

let world: SwapWorld;
beforeAll(async () => {
  world = await startSwapWorld({
    async record(record, devnet) {
      return { ...record, venues: [...record.venues, await ekuboOnDevnet(devnet, ["DSD", "REED"])] };
    },
  });
  await outfit(world, [TRADER]);
  await world.follow();
}, 300_000);
afterAll(() => world?.stop());

const context = { requestId: "overrides", signal: new AbortController().signal };
const known = (address: Address): Token | undefined => DEVNET_TOKENS.find((one) => one.address === address);

/** Two tokens that a pool of the source trades, both of the devnet's own. */
function pairOf(source: string, { graph }: Snapshot): { readonly pool: Pool; readonly pair: readonly [Token, Token] } {
  for (const pool of graph.all()) {
    if (pool.source !== source) continue;
    const [first, second] = pool.tokens.flatMap((token) => known(token) ?? []);
    if (first !== undefined && second !== undefined) return { pool, pair: [first, second] };
  }
  throw new Error(`${source} has no pool of the devnet's tokens`);
}

function sale(source: string, [sellToken, buyToken]: readonly [Token, Token], part: bigint, times = 1n): SwapRequest {
  const sellAmount = (times * 10n ** BigInt(sellToken.decimals)) / part;
  return {
    ...{ sellToken, buyToken, amount: { kind: "exactIn", sellAmount }, slippage: FRACTION_ONE / 2n, gasPrice: 0n },
    ...{ sources: { kind: "only", ids: [source] }, skipValidation: true },
  };
}

/** A swap over the source that is mined, and the logs that it has left. */
async function trade(request: SwapRequest): Promise<readonly PendingLog[]> {
  const { to, data, value, gas } = await world.quote({ ...request, taker: TRADER });
  const receipt = await world.devnet.sendTransaction(TRADER, { to, data, value, gas });
  expect(receipt.succeeded).toBe(true);
  return receipt.logs;
}

const onTopOf = (request: SwapRequest, overrides: readonly PendingLog[], at: Snapshot): Promise<PriceAnswer> =>
  world.quoting.price({ ...request, at, overrides }, { ...context, at });

/** Why it is refused: the field and the reason, with its sentence. */
async function refusalOf(request: SwapRequest, overrides: readonly PendingLog[], at: Snapshot) {
  const error = await onTopOf(request, overrides, at).catch((thrown: unknown) => thrown);
  if (!(error instanceof SwapError)) throw new Error("there is a price", { cause: error });
  expect(error.kind).toBe("INVALID_PARAMETERS");
  expect(error.violations).toHaveLength(1);
  return error.violations[0];
}

const inText = (_: string, value: unknown) => (typeof value === "bigint" ? String(value) : value);
const outcomeOf = (price: Promise<PriceAnswer>) => price.then(routed, (error: unknown) => String(error));
const routed = ({ route, buyAmount, sellAmount, minBuyAmount, price }: PriceAnswer) => ({
  ...{ route: route.fills, buyAmount, sellAmount, minBuyAmount, price },
});

describe.each(FOLLOWED)("over %s", (source) => {
  it("is to the wei what holds once the swap is mined", { timeout: 120_000 }, async () => {
    const before = await world.follow();
    const { pair } = pairOf(source, before);
    const back = [pair[1], pair[0]] as const;
    const logs = await trade(sale(source, pair, 1n, 10n));
    const mined = await world.follow();
    expect(mined.block.number).toBe(before.block.number + 1n);
    const asked = [sale(source, pair, 1n), sale(source, pair, 7n), sale(source, back, 3n)];
    const { amount, ...rest } = sale(source, back, 1n);
    if (amount.kind === "exactIn") {
      const bought = { kind: "exactOut", buyAmount: 10n ** BigInt(pair[0].decimals) / 3_000n } as const;
      asked.push({ ...rest, amount: bought });
    }
    let changed = 0;
    for (const request of asked) {
      const told = await outcomeOf(onTopOf(request, logs, before));
      expect(told).toEqual(await outcomeOf(world.price(request)));
      const unmoved = await outcomeOf(world.quoting.price({ ...request, at: before }, { ...context, at: before }));
      if (JSON.stringify(unmoved, inText) !== JSON.stringify(told, inText)) changed += 1;
    }
    expect(changed).toBeGreaterThan(0);
    const told = await onTopOf(sale(source, pair, 1n), logs, before);
    expect(told.block).toEqual(before.block);
    expect(told.overrides?.logs).toBeGreaterThan(0);
    expect(told.overrides?.pools.map((pool) => before.graph.pool(pool)?.source)).toContain(source);
  });
});

test.each(READ)("over %s is refused: some of its pools is read from the node", { timeout: 120_000 }, async (source) => {
  const before = await world.follow();
  const { pool } = pairOf(source, before);
  const { pair } = pairOf("Uniswap_V2", before);
  const log = { address: pool.id.slice(0, 42) as Address, topics: [SYNC], data: "0x" } as const;
  const found = await refusalOf(sale("Uniswap_V2", pair, 1n), [log], before);
  expect(found).toMatchObject({ field: "overrides[0]", reason: "UNKNOWN_CONTRACT" });
});

it("leaves the market and the prices of others as they are", { timeout: 120_000 }, async () => {
  const before = await world.follow();
  const { pool, pair } = pairOf("Uniswap_V2", before);
  const request: SwapRequest = { ...sale("Uniswap_V2", pair, 1n), sources: { kind: "all" } };
  const first = await world.price(request);
  const reserves = [1n, 10n ** 30n].map((reserve) => reserve.toString(16).padStart(64, "0")).join("");
  const log: PendingLog = { address: pool.id as Address, topics: [SYNC], data: `0x${reserves}` };
  const told = await onTopOf(request, [log], before);
  expect(told.overrides).toEqual({ logs: 1, pools: [pool.id] });
  expect(routed(told)).not.toEqual(routed(first));
  expect(await world.price(request)).toEqual(first);
  expect(before.graph.pool(pool.id)).toBe(pool);
  const now = world.chain.market.current();
  expect("snapshot" in now && now.snapshot.known === before.known).toBe(true);
});

it("takes no log that is none, and tells what to send", { timeout: 120_000 }, async () => {
  const before = await world.follow();
  const { pool, pair } = pairOf("Uniswap_V3", before);
  const v2 = pairOf("Uniswap_V2", before);
  const request = sale("Uniswap_V2", v2.pair, 1n);
  const address = v2.pool.id as Address;
  const word = (value: bigint) => value.toString(16).padStart(64, "0");
  const good: PendingLog = { address, topics: [SYNC], data: `0x${word(5n)}${word(7n)}` };
  const stranger = testAccount(77);

  // Transfer logs of tokens say nothing of pools; any other log of an unknown contract is refused by its address.
  const passed: PendingLog = { address: stranger, topics: [TRANSFER], data: "0x" };
  expect((await onTopOf(request, [passed, good], before)).overrides).toEqual({ logs: 1, pools: [address] });
  expect((await onTopOf(request, [passed], before)).overrides).toEqual({ logs: 0, pools: [] });
  const unknown = await refusalOf(request, [good, { ...good, address: stranger }], before);
  expect(unknown).toMatchObject({ field: "overrides[1]", reason: "UNKNOWN_CONTRACT" });
  expect(unknown?.description).toContain(stranger);

  const wrong: readonly PendingLog[] = [
    { ...good, data: "0x" },
    { ...good, data: `0x${word(1n << 112n)}${word(1n)}` },
    { ...good, data: `0x${"ff".repeat(64)}` },
  ];
  for (const log of wrong)
    expect(await refusalOf(request, [good, log], before)).toMatchObject({
      field: "overrides[1]",
      reason: "INVALID_LOG",
    });

  // A swap whose liquidity, tick and price cannot follow, in one of each form.
  const topics = world.sources.get("Uniswap_V3")?.stateTopics ?? [];
  expect(topics).toHaveLength(4);
  const datas: readonly Hex[] = ["0x", `0x${"00".repeat(160)}`, `0x${"ff".repeat(160)}`, `0x${"7f".repeat(224)}`];
  for (const topic of topics)
    for (const data of datas) {
      const log: PendingLog = { address: pool.id as Address, topics: [topic, topic, topic, topic], data };
      const found = await refusalOf(sale("Uniswap_V3", pair, 1n), [log], before);
      expect(found).toMatchObject({ field: "overrides[0]", reason: "INVALID_LOG" });
    }
});

it("changes so many pools and no more", { timeout: 120_000 }, async () => {
  const before = await world.follow();
  const pools = before.graph.all().filter(({ source }) => source === "Uniswap_V2" || source === "PancakeSwap_V2");
  expect(pools.length).toBeGreaterThan(32);
  const data: Hex = `0x${(10n ** 20n).toString(16).padStart(64, "0").repeat(2)}`;
  const logs = pools.map(({ id }): PendingLog => ({ address: id as Address, topics: [SYNC], data }));
  const request = sale("Uniswap_V2", pairOf("Uniswap_V2", before).pair, 1n);
  expect((await onTopOf(request, logs.slice(0, 32), before)).overrides?.pools).toHaveLength(32);
  expect(await refusalOf(request, logs, before)).toMatchObject({ field: "overrides", reason: "OUT_OF_RANGE" });
});

it("says so of a wrap too", async () => {
  const before = await world.follow();
  const wrapped = DEVNET_TOKENS.find(({ symbol }) => symbol === "WETH") as Token;
  const native = known(NATIVE_TOKEN) as Token;
  const { pool, pair } = pairOf("Uniswap_V2", before);
  const data: Hex = `0x${(10n ** 20n).toString(16).padStart(64, "0").repeat(2)}`;
  const request = { ...sale("Uniswap_V2", pair, 1n), sellToken: native, buyToken: wrapped };
  const told = await onTopOf(request, [{ address: pool.id as Address, topics: [SYNC], data }], before);
  expect([told.buyAmount, told.overrides]).toEqual([10n ** 18n, { logs: 1, pools: [pool.id] }]);
});
