import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { NATIVE_TOKEN } from "../../src/domain/address.ts";
import { FRACTION_ONE, type QuoteAnswer, type SwapRequest } from "../../src/quoting/answer/types.ts";
import { execute } from "../promise/execute.ts";
import { type MakerWorld, SECRET, startMakerWorld, TAKER } from "./maker-world.ts";
import { honestly, sendJson } from "./scripted-makers.ts";

const PAIR = [["WETH", "USDH"]] as const;
const ONE = 10n ** 18n;
/** An order's time begins when the block after the quoted one is due. */
const untilNextBlock = () => world.devnet.chain.blockTimeMs / 1_000;

let world: MakerWorld;
beforeAll(async () => {
  world = await startMakerWorld(["Alpha", "Beta", "RfqGamma"], [["DAM", "WETH"]]);
}, 120_000);
afterAll(() => world?.stop());
afterEach(() => {
  for (const maker of world.scripted.makers.values()) {
    maker.behave = honestly;
    maker.heard.length = 0;
  }
});

function request(
  sell: string,
  buy: string,
  amount: SwapRequest["amount"],
  change: Partial<SwapRequest> = {},
): SwapRequest {
  const tokenOf = (symbol: string) =>
    symbol === "ETH" ? { ...world.layout.token("WETH"), address: NATIVE_TOKEN } : world.layout.token(symbol);
  return {
    sellToken: tokenOf(sell),
    buyToken: tokenOf(buy),
    amount,
    slippage: FRACTION_ONE / 100n,
    sources: { kind: "all" },
    skipValidation: false,
    gasPrice: 10n ** 9n,
    taker: TAKER,
    ...change,
  };
}

const exactIn = (sellAmount: bigint) => ({ kind: "exactIn", sellAmount }) as const;
const exactOut = (buyAmount: bigint) => ({ kind: "exactOut", buyAmount }) as const;

/** Sends the quote's transaction and holds what it moved against what was promised, to the wei. */
async function expectKept(answer: QuoteAnswer): Promise<void> {
  const { receipt, sold, bought, leftBehind } = await execute(world, answer, TAKER);
  expect(receipt.revertData).toBe("0x");
  expect({ sold, bought }).toEqual({ sold: answer.sellAmount, bought: answer.buyAmount });
  expect(leftBehind).toEqual([]);
}

const makersIn = (answer: QuoteAnswer) =>
  answer.orders.filter(({ type }) => type === 1 || type === 2).map(({ source }) => source);

describe("a maker's firm order", () => {
  it("is what a quote is made of, and does to the wei what it says", async () => {
    await world.show({ Alpha: await world.scripted.books(PAIR, 60n) });
    const level = world.maker("Alpha").books[0]?.bids[0]?.[0] as bigint;
    for (const amount of [level / 3n, level, level + level / 2n, 123_456_789_012_345_678n]) {
      const answer = await world.quote(request("WETH", "USDH", exactIn(amount)));
      expect(makersIn(answer)).toEqual(["Alpha"]);
      await expectKept(answer);
    }
  });

  it("is priced before there is one, whichever amount is given", async () => {
    await world.show({ Alpha: await world.scripted.books(PAIR, 60n) });
    const [sellToken, buyToken] = [world.token("WETH"), world.token("USDH")];
    for (const amount of [{ sellAmount: String(ONE) }, { buyAmount: "4000000001" }]) {
      const { status, body } = await world.get("price", { sellToken, buyToken, takerAddress: TAKER, ...amount });
      expect([status, body.orders?.map(({ source }: { source: string }) => source)]).toEqual([200, ["Alpha"]]);
    }
  });

  it("is bought from exactly, and sold to with native token", async () => {
    await world.show({ Alpha: await world.scripted.books(PAIR, 60n) });
    for (const amount of [1n, 1_000_003n, 4_000_000_001n]) {
      const answer = await world.quote(request("ETH", "USDH", exactOut(amount)));
      if (amount > 2_000_000n) expect(makersIn(answer)).toEqual(["Alpha"]);
      await expectKept(answer);
    }
    await world.show({ Alpha: await world.scripted.books(PAIR, -150n) });
    for (const amount of [987_654_321_012_345_678n, ONE + 1n]) {
      const answer = await world.quote(request("USDH", "ETH", exactOut(amount)));
      expect(makersIn(answer)).toEqual(["Alpha"]);
      await expectKept(answer);
    }
  });

  it("shares a trade with pools and with other makers", async () => {
    const [alpha, beta] = [await world.scripted.books(PAIR, 50n), await world.scripted.books(PAIR, 45n)];
    await world.show({ Alpha: alpha, Beta: beta });
    const all = [...(alpha[0]?.bids ?? []), ...(beta[0]?.bids ?? [])].reduce((sum, [base]) => sum + base, 0n);
    const ids = ["Alpha", "Beta", "Uniswap_V3", "Uniswap_V2"];
    const answer = await world.quote(request("WETH", "USDH", exactIn(2n * all), { sources: { kind: "only", ids } }));
    expect([...makersIn(answer)].sort()).toEqual(["Alpha", "Beta"]);
    expect(answer.orders.some(({ type }) => type === 0)).toBe(true);
    await expectKept(answer);
  });

  it("lies in the middle of a path as well as at its ends", async () => {
    await world.show({ Alpha: await world.scripted.books(PAIR, 60n) });
    const answer = await world.quote(request("LOCK", "USDR", exactIn(200n * ONE)));
    expect(makersIn(answer)).toEqual(["Alpha"]);
    await expectKept(answer);
  });

  it("has room for what slippage lets a purchase take in the end where pools stand behind it, and no more", async () => {
    await world.show({ Alpha: await world.scripted.books(PAIR, 60n) });
    const roomOf = async (buy: string, amount: bigint, slippage: bigint) => {
      const answer = await world.quote(request("WETH", buy, exactOut(amount), { slippage }));
      expect(makersIn(answer)).toEqual(["Alpha"]);
      const order = answer.orders.find(({ source }) => source === "Alpha");
      await expectKept(answer);
      return Number(order?.fillData.makerAmount) / Number(order?.makerAmount) - 1;
    };
    expect(await roomOf("USDR", 300_000_000n, FRACTION_ONE / 50n)).toBeCloseTo(0.02, 6);
    expect(await roomOf("USDR", 300_000_000n, FRACTION_ONE)).toBeCloseTo(0.5, 6);
    expect(await roomOf("USDH", 300_000_000n, FRACTION_ONE / 50n)).toBe(0);
  });

  it("ends a quote no later than itself, and is shown whole", async () => {
    await world.show({ Alpha: await world.scripted.books(PAIR, 60n) });
    const answer = await world.quote(request("WETH", "USDH", exactIn(ONE)));
    const [order] = answer.orders;
    expect(answer.expiry).toBe(answer.block.timestamp + BigInt(untilNextBlock()) + 60n);
    expect(order).toMatchObject({ type: 1, source: "Alpha", takerAmount: ONE });
    expect(order?.fillData).toMatchObject({ trader: TAKER, takerAmount: String(ONE), expiry: String(answer.expiry) });
    expect(order?.fillData.signature).toMatch(/^0x[0-9a-f]{130}$/);
    const without = await world.quote(
      request("WETH", "USDH", exactIn(ONE), { sources: { kind: "without", ids: ["Alpha"] } }),
    );
    expect(without.expiry).toBe(without.block.timestamp + 120n);
    expect(answer.buyAmount).toBeGreaterThan(without.buyAmount);
  });

  it("is asked of makers that show no levels, whenever their pair is quoted for a taker", async () => {
    await world.show({});
    world.maker("RfqGamma").books = await world.scripted.books([["DAM", "WETH"]], 60n);
    for (const amount of [exactIn(10n * ONE), exactOut(ONE / 3n)]) {
      const answer = await world.quote(request("DAM", "ETH", amount));
      expect(answer.orders[0]).toMatchObject({ type: 2, source: "RfqGamma" });
      await expectKept(answer);
    }
    const price = await world.get("price", {
      sellToken: world.token("DAM"),
      buyToken: world.token("WETH"),
      sellAmount: String(10n * ONE),
      takerAddress: TAKER,
    });
    expect(JSON.stringify(price.body.orders)).not.toContain("RfqGamma");
    expect(world.maker("RfqGamma").heard).toHaveLength(2);
    // Refusing is its good right.
    world.maker("RfqGamma").behave = async ({ response }) => void response.writeHead(204).end();
    const refused = await world.quote(request("DAM", "WETH", exactIn(10n * ONE)));
    expect(makersIn(refused)).toEqual([]);
    expect(world.makers.figures().find(({ name }) => name === "RfqGamma")).toMatchObject({ score: 1 });
  });
});

describe("what a maker learns", () => {
  const query = () => ({
    sellToken: world.token("WETH"),
    buyToken: world.token("USDH"),
    sellAmount: String(ONE),
  });

  it("is nothing of a taker before the firm step, and no more than its own part then", async () => {
    await world.show({ Alpha: await world.scripted.books(PAIR, 60n) });
    const { heard } = world.maker("Alpha");
    heard.length = 0;
    const price = await world.get("price", { ...query(), takerAddress: TAKER });
    expect(price.body.orders[0]).toMatchObject({ type: 1, source: "Alpha", fillData: { indicative: "true" } });
    const anonymous = await world.get("quote", query());
    expect(anonymous.status).toBe(200);
    expect(anonymous.body.orders.some(({ type }: { type: number }) => type === 1 || type === 2)).toBe(false);
    expect(heard.filter(({ path }) => path.endsWith("/orders"))).toEqual([]);
    expect(JSON.stringify(heard).toLowerCase()).not.toContain(TAKER.slice(2));

    const quote = await world.get("quote", { ...query(), takerAddress: TAKER });
    expect(quote.body.orders[0]).toMatchObject({ type: 1, source: "Alpha" });
    const asked = heard.filter(({ path }) => path.endsWith("/orders"));
    expect(asked).toHaveLength(1);
    expect(asked[0]?.headers.authorization).toBe(SECRET);
    expect(JSON.parse(asked[0]?.body ?? "")).toEqual({
      type: "order",
      requestId: expect.any(String),
      chainId: 31337,
      settlement: quote.body.orders[0].fillData.settlement,
      taker: quote.body.orders[0].fillData.taker,
      trader: TAKER,
      takerToken: query().sellToken,
      makerToken: query().buyToken,
      takerAmount: query().sellAmount,
      expiry: String(Number(quote.body.blockTimestamp) + untilNextBlock() + 30),
    });
  });

  it("is nothing at all where it is left out or switched off by a request", async () => {
    await world.show({ Alpha: await world.scripted.books(PAIR, 60n) });
    const { heard } = world.maker("Alpha");
    heard.length = 0;
    const quote = await world.get("quote", { ...query(), takerAddress: TAKER, excludedSources: "alpha" });
    expect(quote.status).toBe(200);
    expect(heard.filter(({ path }) => path.endsWith("/orders"))).toEqual([]);
  });
});

describe("a quote with a maker that fails", () => {
  it("goes to another maker that answers, in the same round", async () => {
    const [alpha, beta] = [await world.scripted.books(PAIR, 50n), await world.scripted.books(PAIR, 45n)];
    await world.show({ Alpha: alpha, Beta: beta });
    world.maker("Alpha").behave = async ({ response }) => sendJson(response, 500, {});
    for (const maker of world.scripted.makers.values()) maker.heard.length = 0;
    const level = alpha[0]?.bids[0]?.[0] as bigint;
    const ids = ["Alpha", "Beta", "Uniswap_V3"];
    const answer = await world.quote(request("WETH", "USDH", exactIn(30n * level), { sources: { kind: "only", ids } }));
    expect(makersIn(answer)).toEqual(["Beta"]);
    for (const name of ["Alpha", "Beta"]) {
      expect(world.maker(name).heard.filter(({ path }) => path.endsWith("/orders"))).toHaveLength(1);
    }
    await expectKept(answer);
  });
});
