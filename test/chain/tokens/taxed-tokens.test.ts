import { readFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { taxedTokens } from "../../../src/devnet/markets/taxed-tokens.ts";
import { type Address, type Hex, NATIVE_TOKEN } from "../../../src/domain/address.ts";
import type { SwapError } from "../../../src/domain/errors/swap-error.ts";
import type { Token } from "../../../src/domain/token.ts";
import { FRACTION_ONE, type SwapRequest } from "../../../src/quoting/answer/types.ts";
import { execute, outfit } from "../../promise/execute.ts";
import { type SwapWorld, startSwapWorld, testAccount } from "../../support/worlds/swap-world.ts";
import { misfitsOn, TAXING } from "../blocks/misfits.ts";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const UNIT = 10n ** 18n;
const USD = 10n ** 6n;
const TAKER = testAccount(31);

let world: SwapWorld;
let misfits: ReturnType<typeof misfitsOn>;
let state: Hex;

beforeAll(async () => {
  world = await startSwapWorld({ everyTokenIsHop: true });
  misfits = misfitsOn(world.devnet);
  await outfit(world, [TAKER]);
  await world.follow();
});
afterAll(() => world?.stop());
beforeEach(async () => {
  state = await world.devnet.snapshot();
});
afterEach(async () => {
  await world.devnet.revert(state);
  await world.devnet.mine();
  await world.follow();
});

const listed = (symbol: string): Token => world.devnet.tokens.find((token) => token.symbol === symbol)!;
const tokenAt = (address: Address): Token => ({ address, symbol: "TAX", name: "Taxing", decimals: 18 });

function sale(sellToken: Token, buyToken: Token, sellAmount: bigint): SwapRequest {
  return {
    ...{ sellToken, buyToken, slippage: FRACTION_ONE / 100n, sources: { kind: "all" }, skipValidation: false },
    ...{ amount: { kind: "exactIn", sellAmount }, taker: TAKER },
  };
}

interface Rates {
  readonly buy: bigint;
  readonly sell: bigint;
  readonly transfer: bigint;
  readonly roundsUp?: boolean;
}

/** A token with these rates, in parts per million, and its pair with USDH. The taker has some of both. */
async function taxed({ buy, sell, transfer, roundsUp = false }: Rates): Promise<{ token: Token; pair: Address }> {
  const address = await misfits.taxing("TAX");
  const pair = await misfits.pair(listed("USDH").address, 2_000_000n * USD, address, 1_234_567n * UNIT);
  await misfits.call(address, TAXING, "setPool", pair, true);
  await world.devnet.fund(address, TAKER, 10_000n * UNIT);
  await world.devnet.approve(address, TAKER, world.settlement.allowanceTarget, 2n ** 256n - 1n);
  await setTax(address, { buy, sell, transfer, roundsUp });
  await world.follow();
  return { token: tokenAt(address), pair };
}

const setTax = (token: Address, { buy, sell, transfer, roundsUp = false }: Rates) =>
  misfits.call(token, TAXING, "setTax", buy, sell, transfer, roundsUp);

const refusalOf = (call: Promise<unknown>): Promise<SwapError> =>
  call.then(
    () => Promise.reject(new Error("it was not refused")),
    (error) => error,
  );

const RATES: readonly (readonly [string, Rates])[] = [
  ["1 % of everything", { buy: 10_000n, sell: 10_000n, transfer: 10_000n }],
  ["1 % of everything, rounded up", { buy: 10_000n, sell: 10_000n, transfer: 10_000n, roundsUp: true }],
  ["5 % of purchases, 7.25 % of sales", { buy: 50_000n, sell: 72_500n, transfer: 0n }],
  ["sales alone", { buy: 0n, sell: 1n, transfer: 0n, roundsUp: true }],
  ["half of everything", { buy: 500_000n, sell: 500_000n, transfer: 500_000n }],
];

describe.each(RATES)("a token that keeps %s", (_, rates) => {
  it("is sold and bought to the wei", async () => {
    const { token } = await taxed(rates);
    const usd = listed("USDH");
    const over = listed("DSD");
    for (const request of [
      sale(token, usd, 1_234_567_890_123_456_789n),
      sale(token, over, 777_777n * 10n ** 15n + 7n),
      sale(usd, token, 12_345_678n),
      sale(over, token, 98_765_432_109_876_543_210n),
    ]) {
      const quote = await world.quote(request);
      expect(quote.issues.simulationIncomplete).toBe(false);
      const own = request.sellToken === token ? quote.taxes.sellToken : quote.taxes.buyToken;
      expect(own).toEqual({
        buy: { ppm: rates.buy, roundsUp: rates.buy > 0n && rates.roundsUp === true },
        sell: { ppm: rates.sell, roundsUp: rates.sell > 0n && rates.roundsUp === true },
        transfer: { ppm: rates.transfer, roundsUp: rates.transfer > 0n && rates.roundsUp === true },
      });
      const done = await execute(world, quote, TAKER);
      expect(done.receipt.succeeded, done.receipt.revertData).toBe(true);
      expect([done.sold, done.bought]).toEqual([quote.sellAmount, quote.buyAmount]);
    }
  });
});

const ONE_PERCENT: Rates = { buy: 10_000n, sell: 10_000n, transfer: 10_000n };

describe("a route of such a token", () => {
  it("begins or ends there, and never leads over it", async () => {
    const { token } = await taxed(ONE_PERCENT);
    const [usd, over] = [listed("USDH"), listed("DSD")];
    await misfits.pair(over.address, 5_000_000n * UNIT, token.address, 1_000_000n * UNIT);
    await world.follow();
    const [{ route }, sold] = [
      await world.price(sale(usd, over, 50_000n * USD)),
      await world.price(sale(token, usd, UNIT)),
    ];
    expect(route.tokens.map(({ address }) => address)).not.toContain(token.address);
    expect(sold.route.tokens[0]?.address).toBe(token.address);
  });

  it("has no exact outputs, no fee in the taxed token and no transfer by Permit2, and says what to send", async () => {
    const { token } = await taxed(ONE_PERCENT);
    const usd = listed("USDH");
    const fee = { recipient: testAccount(32), ratePpm: 1_000n };
    const [selling, buying] = [sale(token, usd, UNIT), sale(usd, token, USD)];
    const exact = await refusalOf(world.quote({ ...selling, amount: { kind: "exactOut", buyAmount: USD } }));
    expect(exact.message).toContain("cannot be asked for an exact buyAmount; send a sellAmount");
    for (const request of [
      { ...selling, fee: { ...fee, fromSold: true } },
      { ...selling, approvalMode: "permit2" as const },
      { ...buying, fee },
    ]) {
      const { violations } = await refusalOf(world.quote(request));
      expect(violations).toMatchObject([{ reason: "NOT_WITH_TAX" }]);
    }
    for (const request of [
      { ...selling, fee },
      { ...buying, fee: { ...fee, fromSold: true } },
      { ...selling, sellEntireBalance: true },
    ]) {
      const quote = await world.quote(request);
      const done = await execute(world, quote, TAKER);
      expect([done.receipt.succeeded, done.sold, done.bought]).toEqual([true, quote.sellAmount, quote.buyAmount]);
      expect(done.leftBehind).toEqual([]);
    }
  });

  it("is proven on the node also where the caller skips that", async () => {
    const { token, pair } = await taxed(ONE_PERCENT);
    await world.price(sale(token, listed("USDH"), UNIT));
    await setTax(token.address, { ...ONE_PERCENT, sell: 20_000n });
    await world.follow();
    const skipping = { ...sale(token, listed("USDH"), UNIT), skipValidation: true };
    // The market may have measured the new one by itself meanwhile: then the quote is of that.
    const quote = await world.quote(skipping).catch((error: SwapError) => error);
    if ("kind" in quote) expect(quote.kind).toBe("UNAVAILABLE");
    const again = await world.quote(skipping);
    expect(again.taxes.sellToken?.sell.ppm).toBe(20_000n);
    expect((await execute(world, again, TAKER)).bought).toBe(again.buyAmount);
    expect(world.chain.status().quarantined.has(pair)).toBe(false);
  });
});

describe("what has no constant part stays refused, with what was found", () => {
  it.each<readonly [string, (token: Address, pair: Address) => Promise<unknown>, RegExp]>([
    [
      "more of large amounts",
      (token) => misfits.call(token, TAXING, "setAbove", 1_000n * UNIT, 90_000n),
      /and that is not the same part of every amount and holder/,
    ],
    [
      "more than half",
      (token) => setTax(token, { buy: 600_000n, sell: 600_000n, transfer: 600_000n }),
      /a transfer of \d+ base units fails|not between 0 and 50 %/,
    ],
    [
      "other parts at another pool",
      async (token) => {
        await misfits.pair(listed("DSD").address, 1_000_000n * UNIT, token, 1_234_567n * UNIT);
        await setTax(token, { buy: 10_000n, sell: 30_000n, transfer: 0n });
      },
      /not the same part of every amount and holder/,
    ],
  ])("of a token that keeps %s", async (_, spoil, reason) => {
    const { token, pair } = await taxed({ buy: 0n, sell: 0n, transfer: 0n });
    await setTax(token.address, ONE_PERCENT);
    await spoil(token.address, pair);
    await world.follow();
    for (const request of [sale(token, listed("USDH"), UNIT), sale(listed("USDH"), token, USD)]) {
      const { violations } = await refusalOf(world.quote(request));
      expect(violations).toMatchObject([{ reason: "TOKEN_NOT_SUPPORTED" }]);
      expect(violations[0]?.description).toMatch(reason);
    }
    expect(world.chain.verdicts.taxes().size).toBe(0);
  });

  it("of a token with a tax that Uniswap V2's pairs do not trade", async () => {
    const { token } = await taxed(ONE_PERCENT);
    const { sources } = sale(token, listed("USDH"), UNIT);
    expect(sources.kind).toBe("all");
    const only = { ...sale(token, listed("USDH"), UNIT), sources: { kind: "only", ids: ["Uniswap_V3"] } as const };
    expect((await refusalOf(world.quote(only))).kind).toBe("INSUFFICIENT_ASSET_LIQUIDITY");
  });
});

describe("a token that means harm", () => {
  it("cannot take more than the slippage by a tax that rises between quote and transaction", async () => {
    const { token } = await taxed(ONE_PERCENT);
    for (const request of [sale(token, listed("USDH"), UNIT), sale(listed("USDH"), token, USD)]) {
      const quote = await world.quote(request);
      await world.devnet.rolledBack(async () => {
        await setTax(token.address, { buy: 30_000n, sell: 30_000n, transfer: 30_000n });
        const done = await execute(world, quote, TAKER);
        expect([done.receipt.succeeded, done.sold, done.bought]).toEqual([false, 0n, 0n]);
      });
    }
  });

  it("cannot take more by a tax that no simulation pays", async () => {
    const { token } = await taxed(ONE_PERCENT);
    await misfits.call(token.address, TAXING, "setOutside", 200_000n);
    await world.follow();
    for (const request of [sale(token, listed("USDH"), UNIT), sale(listed("USDH"), token, USD)]) {
      const quote = await world.quote(request);
      const done = await execute(world, quote, TAKER);
      expect([done.receipt.succeeded, done.sold, done.bought]).toEqual([false, 0n, 0n]);
    }
  });

  it("pays whoever trades what was promised, or more, when its tax falls", async () => {
    const { token } = await taxed(ONE_PERCENT);
    for (const request of [sale(token, listed("USDH"), UNIT), sale(listed("USDH"), token, USD)]) {
      const quote = await world.quote(request);
      await world.devnet.rolledBack(async () => {
        await setTax(token.address, { buy: 0n, sell: 0n, transfer: 0n });
        const done = await execute(world, quote, TAKER);
        expect(done.receipt.succeeded).toBe(true);
        expect(done.bought >= quote.buyAmount).toBe(true);
      });
    }
  });

  it("is not made dearer by whoever sends its pair a base unit", async () => {
    const { token, pair } = await taxed(ONE_PERCENT);
    await misfits.transfer(token.address, pair, 12_345n);
    await world.follow();
    const quote = await world.quote(sale(token, listed("USDH"), UNIT));
    expect((await execute(world, quote, TAKER)).bought).toBe(quote.buyAmount);
  });
});

describe("the devnet's own", () => {
  it("LEVY is traded to the wei, TOLL is refused since its part changes, and the page names both", async () => {
    const [levy, toll] = taxedTokens(world.devnet.whale) as [Token, Token];
    const page = readFileSync(new URL("../../../docs/devnet.md", import.meta.url), "utf8");
    expect(page).toContain(`LEVY\n(\`${levy.address}\`) keeps 3 %`);
    expect(page).toContain(`TOLL (\`${toll.address}\`) keeps 1 to 2.5 %`);
    const eth = { address: NATIVE_TOKEN, symbol: "ETH", name: "Ether", decimals: 18 };
    const quote = await world.quote(sale(eth, levy, UNIT));
    expect(quote.taxes.buyToken?.buy).toEqual({ ppm: 30_000n, roundsUp: false });
    expect((await execute(world, quote, TAKER)).bought).toBe(quote.buyAmount);
    await world.devnet.fund(levy.address, TAKER, 100n * UNIT);
    await world.devnet.approve(levy.address, TAKER, world.settlement.allowanceTarget, 100n * UNIT);
    await world.follow();
    const back = await world.quote(sale(levy, eth, 99n * UNIT + 7n));
    const done = await execute(world, back, TAKER);
    expect([done.sold, done.bought]).toEqual([back.sellAmount, back.buyAmount]);
    expect(done.leftBehind).toEqual([]);
    // The token spares the account that has made it, which gets more than is quoted to anybody.
    const { whale } = world.devnet;
    const spared = await world.quote({ ...sale(eth, levy, UNIT), taker: whale });
    expect(spared.issues.simulationIncomplete).toBe(false);
    const { taker: _, ...anybody } = sale(eth, levy, UNIT);
    expect((await world.quote({ ...anybody, recipient: whale })).buyAmount).toBe(spared.buyAmount);
    const got = await execute(world, spared, whale);
    expect(got.receipt.succeeded).toBe(true);
    expect(got.bought - spared.buyAmount).toBe((got.bought * 3n) / 100n);
    for (const request of [sale(eth, toll, UNIT), sale(toll, eth, UNIT)]) {
      const { violations } = await refusalOf(world.quote(request));
      expect(violations[0]?.description).toMatch(/TOLL.* keeps .* fee on transfer\), and /);
    }
  });
});
