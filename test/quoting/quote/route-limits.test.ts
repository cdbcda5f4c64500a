import { afterAll, beforeAll, expect, it } from "vitest";
import { type Address, NATIVE_TOKEN } from "../../../src/domain/address.ts";
import { SwapError } from "../../../src/domain/errors/swap-error.ts";
import type { RouteLimits } from "../../../src/quoting/answer/route-limits.ts";
import { FRACTION_ONE, type QuoteAnswer, type SwapRequest } from "../../../src/quoting/answer/types.ts";
import { execute, outfit } from "../../promise/execute.ts";
import { DEVNET_TOKENS } from "../../promise/random/random-request.ts";
import { type SwapWorld, startSwapWorld, testAccount } from "../../support/worlds/swap-world.ts";

/** Quotes within the limits that requests set on routes, carried out on the devnet. */
const TAKER = testAccount(1);
const NONE: RouteLimits = { excludedPools: [], excludedTokens: [], connectorTokens: [] };

let world: SwapWorld;
beforeAll(async () => {
  world = await startSwapWorld();
  await outfit(world, [TAKER]);
  await world.follow();
}, 300_000);
afterAll(() => world?.stop());

const tokens = DEVNET_TOKENS;
const named = (symbol: string) => {
  const token = tokens.find((one) => one.symbol === symbol);
  if (token === undefined) throw new Error(`no ${symbol}`);
  return token;
};
const request = (sell: string, buy: string, amount: SwapRequest["amount"], limits?: RouteLimits): SwapRequest => ({
  ...{ sellToken: named(sell), buyToken: named(buy), amount, slippage: FRACTION_ONE / 100n, taker: TAKER },
  ...{ sources: { kind: "all" }, skipValidation: false },
  ...(limits && { limits }),
});
const sale = { kind: "exactIn", sellAmount: 3n * 10n ** 20n } as const;
const purchase = { kind: "exactOut", buyAmount: 300_000n * 10n ** 6n } as const;

const poolsOf = ({ route }: QuoteAnswer) => new Set(route.fills.map(({ pool }) => pool));
const between = ({ route, sellToken, buyToken }: QuoteAnswer): readonly Address[] =>
  [...new Set(route.fills.flatMap(({ from, to }) => [from, to]))].filter(
    (token) => ![sellToken.address, buyToken.address].includes(token),
  );

async function carriedOut(asked: SwapRequest): Promise<QuoteAnswer> {
  const answer = await world.quote(asked);
  expect(await execute(world, answer, TAKER)).toMatchObject({
    receipt: { succeeded: true },
    ...{ sold: answer.sellAmount, bought: answer.buyAmount, leftBehind: [] },
  });
  return answer;
}

it("do to the wei what they say, and go over nothing that is left out", { timeout: 300_000 }, async () => {
  for (const amount of [sale, purchase]) {
    const within = (limits: Partial<RouteLimits>) =>
      carriedOut(request("WETH", "USDH", amount, { ...NONE, ...limits }));
    const best = await carriedOut(request("WETH", "USDH", amount));
    const pools = [...poolsOf(best)];
    expect(pools.length).toBeGreaterThan(2);
    const others = await within({ excludedPools: pools });
    expect(pools.filter((pool) => poolsOf(others).has(pool))).toEqual([]);

    const [token] = between(best);
    if (token === undefined) throw new Error("the best route leads over no token");
    const around = await within({ excludedTokens: [token] });
    expect(around.route.tokens.map(({ address }) => address)).not.toContain(token);
    const over = await within({ connectorTokens: [token] });
    expect(between(over)).toEqual([token]);
    expect(between(await within({ connectorTokens: [TAKER] }))).toEqual([]);
    expect(between(await within({ maxHops: 1 }))).toEqual([]);
    const few = await within({ maxFills: 2 });
    expect(few.route.fills.length).toBeLessThanOrEqual(2);
    expect((await within({ maxFills: 1 })).route.fills).toHaveLength(1);
    // Each is the best of fewer: none pays more, or costs less, than the bound over all.
    for (const { optimality } of [others, around, over, few]) {
      const [bound, achieved] = [best.optimality?.bound ?? 0n, optimality?.achieved ?? 0n];
      expect(amount.kind === "exactIn" ? achieved <= bound : achieved >= bound).toBe(true);
    }
  }
});

it("show no path of more pools than maxHops, also where paths of the best route cross", {
  timeout: 300_000,
}, async () => {
  const units = (symbol: string, whole: number) => BigInt(whole) * 10n ** BigInt(named(symbol).decimals);
  const asked = [
    ...([
      ["MILL", "USDR", 2_768],
      ["EURF", "2RIV", 7_484],
      ["ETH", "rDOL", 328],
      ["3RIV", "OXBW", 675_508],
    ] as const),
  ];
  let crossed = 0;
  for (const [sell, buy, whole] of asked) {
    const amount = { kind: "exactIn", sellAmount: units(sell, whole) } as const;
    const within = await world.price(request(sell, buy, amount, { ...NONE, maxHops: 3 }));
    const lengths = within.sources.map(({ multiHop }) => multiHop?.hops.length ?? 1);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(3);
    const free = await world.price(request(sell, buy, amount));
    expect(within.optimality?.achieved).toBeLessThanOrEqual(free.optimality?.bound ?? 0n);
    expect(within.optimality?.achieved).toBeLessThanOrEqual(within.optimality?.bound ?? 0n);
    const fewer = await world.price(request(sell, buy, amount, { ...NONE, maxHops: 2 }));
    expect(within.optimality?.achieved).toBeGreaterThanOrEqual(fewer.optimality?.achieved ?? 0n);
    if (free.sources.some(({ multiHop }) => (multiHop?.hops.length ?? 1) > 3)) crossed += 1;
  }
  expect(crossed).toBeGreaterThan(0);
});

it("change no price of the same pair without limits", async () => {
  await world.follow();
  const before = await world.price(request("WETH", "USDR", sale));
  await world.price(request("WETH", "USDR", sale, { ...NONE, maxFills: 1 }));
  const [pool] = before.route.fills.map((fill) => fill.pool);
  await world.price(request("WETH", "USDR", sale, { ...NONE, excludedPools: [pool ?? ""] }));
  expect(await world.price(request("WETH", "USDR", sale))).toEqual(before);
});

it("wrap over the wrapped token's own contract only where it is not left out", async () => {
  const wrap = { kind: "exactIn", sellAmount: 10n ** 18n } as const;
  const { wrappedNative } = world.devnet.chain;
  expect((await carriedOut(request("ETH", "WETH", wrap))).to).toBe(wrappedNative);
  const excluded = request("ETH", "WETH", wrap, { ...NONE, excludedPools: [wrappedNative] });
  const refused = await world.quote(excluded).catch((error: unknown) => error);
  if (!(refused instanceof SwapError)) expect((refused as QuoteAnswer).to).not.toBe(wrappedNative);
  else expect(refused.kind).toBe("INSUFFICIENT_ASSET_LIQUIDITY");
  // Native token that may not be wrapped is traded with pools of native token alone.
  const unwrapped = request("ETH", "USDH", wrap, { ...NONE, excludedTokens: [wrappedNative] });
  expect((await carriedOut(unwrapped)).route.fills.every(({ from }) => from !== wrappedNative)).toBe(true);
  expect(NATIVE_TOKEN).toBe(unwrapped.sellToken.address);
});

it("say that there is a route without them", async () => {
  const { graph } = await world.follow();
  const usdh = named("USDH").address;
  const isApart = (token: Address) => token !== usdh && graph.poolsBetween(usdh, token).length === 0;
  const apart = tokens.find(({ address, symbol }) => symbol !== "ETH" && isApart(address));
  const asked = request(apart?.symbol ?? "", "USDH", { kind: "exactIn", sellAmount: 10n ** 15n });
  expect((await world.price(asked)).route.fills.length).toBeGreaterThan(1);
  const refused = await world.price({ ...asked, limits: { ...NONE, maxHops: 1 } }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(SwapError);
  expect((refused as SwapError).violations[0]?.description).toMatch(/without the limits .* there is a route$/);
});
