import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createFakeQuoting, NATIVE, USDC, WBTC, WETH } from "../../../../fixtures/door/fake-quoting.ts";
import type { Address, Hex } from "../../../../src/domain/address.ts";
import type { BlockRef } from "../../../../src/domain/block.ts";
import { SwapError } from "../../../../src/domain/errors/swap-error.ts";
import type { Snapshot } from "../../../../src/market/snapshot.ts";
import type { PriceAnswer, SwapRequest } from "../../../../src/quoting/answer/types.ts";
import { ChainlinkFeed } from "../../../../src/quoting/guard/chainlink-feed.ts";
import { type CheckEnd, guardPrices, PriceGuard } from "../../../../src/quoting/guard/price-guard.ts";
import type { Reference, ReferenceFeed } from "../../../../src/quoting/guard/reference.ts";

const MAX_AGE = 60;
const feedOf = (token: Address, reference: Reference | undefined): ReferenceFeed => ({
  record: { token, maxAgeSeconds: MAX_AGE, from: { kind: "chainlink", aggregator: token } },
  at: async () => reference,
  last: () => reference,
  trouble: () => undefined,
  stop: () => {},
});
const worth = (num: bigint, den = 1n, ageSeconds = 0): Reference => ({ price: { num, den }, ageSeconds });

function guardOf(feeds: readonly ReferenceFeed[], bps: number, refusesWhenMissing = false) {
  const ends: CheckEnd[] = [];
  const ended = (end: CheckEnd) => void ends.push(end);
  const record = { maxDeviationBps: bps, refusesWhenMissing };
  return { guard: new PriceGuard(record, feeds, { wrappedNative: WETH.address, ended }), ends };
}

/** An answer that sells so much WETH for so much USDC. */
const answerOf = (sold: bigint, bought: bigint) =>
  ({
    ...{ sellToken: WETH, buyToken: USDC, grossSellAmount: sold, grossBuyAmount: bought },
    block: { number: 7n },
  }) as PriceAnswer;

const NEWEST = { block: { number: 7n, hash: "0x07" } } as unknown as Snapshot;
const MARKET = { current: () => ({ snapshot: NEWEST }) };

const ETHER = 10n ** 18n;
const refusalOf = (check: Promise<void>) =>
  check.then(
    () => undefined,
    (error: unknown) => (error instanceof SwapError ? error : expect.fail(String(error))),
  );

describe("a trade of 1 ETH at a reference of 2,000 USDC, 1 % allowed", () => {
  const feeds = [feedOf(WETH.address, worth(2_000n)), feedOf(USDC.address, worth(1n))];

  test.each([
    ["the reference", 2_000_000_000n, "passed"],
    ["1 % below it", 1_980_000_000n, "passed"],
    ["1 % above it", 2_020_000_000n, "passed"],
    ["a base unit less", 1_979_999_999n, "refused"],
    ["a base unit more", 2_020_000_001n, "refused"],
    ["nearly nothing", 1n, "refused"],
    ["far too much", 10n ** 30n, "refused"],
  ] as const)("at %s is told", async (_, bought, end) => {
    const { guard, ends } = guardOf(feeds, 100);
    const refusal = await refusalOf(guard.check(answerOf(ETHER, bought), "sellAmount"));
    expect(ends).toEqual([end]);
    expect(refusal?.reason).toBe(end === "refused" ? "PRICE_OFF_REFERENCE" : undefined);
  });

  test("that is refused names both prices, the distance and the limit, at its parameter", async () => {
    const { guard } = guardOf(feeds, 100);
    const refusal = await refusalOf(guard.check(answerOf(ETHER, 1_950_500_000n), "buyAmount"));
    expect(refusal?.message).toMatch(
      /1950\.5 USDC \(0x\w+\) per WETH \(0x\w+\), and the reference is 2000: -2\.47 % off/,
    );
    expect(refusal?.message).toMatch(/1 % is allowed; send a smaller amount/);
    expect(refusal?.violations).toMatchObject([{ field: "buyAmount", reason: "PRICE_OFF_REFERENCE" }]);
    const better = await refusalOf(guard.check(answerOf(ETHER, 2_050_000_000n), "sellAmount"));
    expect(better?.message).toMatch(/ 2\.5 % off, where 1 % is allowed; try again later$/);
  });
});

test("a trade is refused exactly when its rate is further off than allowed", async () => {
  const positive = fc.bigInt({ min: 1n, max: 10n ** 24n });
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(positive, positive, positive, positive, positive, positive),
      fc.integer({ min: 1, max: 9_999 }),
      async ([sold, bought, sellNum, sellDen, buyNum, buyDen], bps) => {
        const feeds = [feedOf(WETH.address, worth(sellNum, sellDen)), feedOf(USDC.address, worth(buyNum, buyDen))];
        const { guard } = guardOf(feeds, bps);
        const refusal = await refusalOf(guard.check(answerOf(sold, bought), "sellAmount"));
        // Values of input and output: |out - in| / in > bps / 10,000, over one denominator.
        const paid = bought * buyNum * sellDen * 10n ** 12n;
        const given = sold * sellNum * buyDen;
        const off = paid > given ? paid - given : given - paid;
        expect(refusal !== undefined).toBe(off * 10_000n > given * BigInt(bps));
      },
    ),
    { numRuns: 300, seed: 20_261_127 },
  );
});

describe("a pair", () => {
  const [eth, usd] = [feedOf(WETH.address, worth(1n)), feedOf(USDC.address, worth(1n))];

  test("with a token that has no feed is not held against anything", async () => {
    const { guard, ends } = guardOf([eth], 1, true);
    await guard.check(answerOf(1n, 1n), "sellAmount");
    expect(ends).toEqual(["unmapped"]);
  });

  test("of the native token and its wrapper is one token", async () => {
    const { guard, ends } = guardOf([eth, usd], 1, true);
    await guard.check({ ...answerOf(1n, 1n), sellToken: NATIVE, buyToken: WETH }, "sellAmount");
    await refusalOf(guard.check({ ...answerOf(ETHER, 5n), sellToken: NATIVE }, "sellAmount"));
    expect(ends).toEqual(["unmapped", "refused"]);
  });

  test.each([
    ["missing", undefined],
    ["stale", worth(1n, 1n, MAX_AGE + 1)],
  ])("with a %s reference goes on by default, and is refused where that is configured", async (_, reference) => {
    const feeds = [eth, feedOf(USDC.address, reference)];
    const open = guardOf(feeds, 1);
    await open.guard.check(answerOf(1n, 1n), "sellAmount");
    expect(open.ends).toEqual(["missing"]);
    const strict = guardOf(feeds, 1, true);
    const refusal = await refusalOf(strict.guard.check(answerOf(1n, 1n), "sellAmount"));
    expect(refusal).toMatchObject({ kind: "UNAVAILABLE", reason: "REFERENCE_UNAVAILABLE", retryAfterSeconds: 5 });
    expect(refusal?.message).toContain("USDC");
    expect(refusal?.message).not.toContain("WETH");
    expect(strict.ends).toEqual(["missing"]);
    expect(strict.guard.readings().map(({ state }) => state)).toEqual(["fresh", reference ? "stale" : "missing"]);
  });

  test("at the age that is allowed is fresh", async () => {
    const { guard, ends } = guardOf([eth, feedOf(USDC.address, worth(1n, 1n, MAX_AGE))], 1);
    await refusalOf(guard.check(answerOf(1n, 1n), "sellAmount"));
    expect(ends).toEqual(["refused"]);
  });
});

test("prices and quotes are both held against it, and what quoting refuses comes first", async () => {
  const quoting = createFakeQuoting();
  const feeds = [feedOf(WETH.address, worth(1n)), feedOf(WBTC.address, worth(1n))];
  const guarded = guardPrices(quoting, guardOf(feeds, 1).guard, MARKET);
  const request = { sellToken: WETH, buyToken: WBTC, amount: { kind: "exactOut", buyAmount: 2n } } as SwapRequest;
  const call = { requestId: "", signal: new AbortController().signal };
  for (const ask of [guarded.price, guarded.quote]) {
    await expect(ask(request, call)).rejects.toMatchObject({ violations: [{ field: "buyAmount" }] });
  }
  quoting.before = async () => {
    throw new Error("refused before");
  };
  await expect(guarded.price(request, call)).rejects.toThrow("refused before");
});

test.each(["coinbase", "chainlink"] as const)(
  "a price at a named block is held against what %s knows of it",
  async (kind) => {
    const from = { kind, symbol: "", url: new URL("https://exchange.test"), aggregator: USDC.address };
    const feeds = [WETH, WBTC].map(({ address }): ReferenceFeed => {
      const feed = feedOf(address, worth(1n));
      return { ...feed, record: { ...feed.record, from } };
    });
    const { guard, ends } = guardOf(feeds, 1);
    const guarded = guardPrices(createFakeQuoting(), guard, MARKET);
    const request = { sellToken: WETH, buyToken: WBTC, amount: { kind: "exactOut", buyAmount: 2n } } as SwapRequest;
    const call = { requestId: "", signal: new AbortController().signal };
    const earlier = { block: { number: 6n, hash: "0x06" } } as unknown as Snapshot;
    for (const at of [undefined, NEWEST, earlier])
      await guarded.price({ ...request, ...(at && { at }) }, call).catch(() => undefined);
    expect(ends).toEqual(["refused", "refused", kind === "coinbase" ? "past" : "refused"]);
  },
);

describe("an aggregator's words", () => {
  const word = (value: bigint) => BigInt.asUintN(256, value).toString(16).padStart(64, "0");
  const round = (answer: bigint, updatedAt = 900n): Hex => `0x${[1n, answer, 800n, updatedAt, 1n].map(word).join("")}`;
  const block = { number: 5n, hash: `0x${"1".repeat(64)}`, timestamp: 1_000n } as BlockRef;
  const record = { token: WETH.address, maxAgeSeconds: MAX_AGE, from: { kind: "chainlink", aggregator: WETH.address } };

  function feedThat(answer: () => Promise<readonly (Hex | undefined)[]>) {
    let asked = 0;
    const calls = () => {
      asked += 1;
      return answer();
    };
    const feed = new ChainlinkFeed(record as ReferenceFeed["record"], WETH.address, {
      reader: { calls },
      now: () => 0,
    });
    return { feed, asked: () => asked };
  }

  test("are read once at a block, however many ask, with the age at that block", async () => {
    const { feed, asked } = feedThat(async () => [`0x${word(8n)}`, round(200_012_345_678n)]);
    const all = await Promise.all([feed.at(block), feed.at(block), feed.at(block)]);
    expect(all[2]).toEqual({ price: { num: 200_012_345_678n, den: 10n ** 8n }, ageSeconds: 100 });
    expect(asked()).toBe(1);
    await feed.at({ ...block, hash: `0x${"2".repeat(64)}` });
    expect(asked()).toBe(2);
  });

  test("are read once at each of several blocks, in any order, and the newest stands in status", async () => {
    let answer = 5n;
    const { feed, asked } = feedThat(async () => [`0x${word(0n)}`, round(answer)]);
    const earlier = { ...block, number: 4n, hash: `0x${"4".repeat(64)}` } as BlockRef;
    const now = await feed.at(block);
    answer = 4n;
    const then = await feed.at(earlier);
    expect([await feed.at(block), await feed.at(earlier), await feed.at(block)]).toEqual([now, then, now]);
    expect(asked()).toBe(2);
    expect([now?.price.num, then?.price.num, feed.last()?.price.num]).toEqual([5n, 4n, 5n]);
    // A bounded number of blocks is kept.
    for (let at = 0; at < 100; at++) await feed.at({ ...earlier, hash: `0x${String(at).padStart(64, "0")}` });
    await feed.at(earlier);
    expect(asked()).toBe(103);
  });

  test("are asked for again after the node has failed", async () => {
    let fails = true;
    const { feed, asked } = feedThat(async () => {
      if (fails) throw new Error("no answer in time");
      return [`0x${word(0n)}`, round(5n)];
    });
    expect(await Promise.all([feed.at(block), feed.at(block)])).toEqual([undefined, undefined]);
    expect(asked()).toBe(1);
    fails = false;
    expect((await feed.at(block))?.price.num).toBe(5n);
    expect(feed.trouble()).toBeUndefined();
  });

  test.each([
    ["no contract", [undefined, undefined]],
    ["no decimals", [undefined, round(1n)]],
    ["decimals beyond reckoning", [`0x${word(77n)}`, round(1n)]],
    ["a price of zero", [`0x${word(8n)}`, round(0n)]],
    ["a negative price", [`0x${word(8n)}`, round(-1n)]],
    ["a round that is not complete", [`0x${word(8n)}`, round(1n, 0n)]],
    ["too few words", [`0x${word(8n)}`, "0x01"]],
  ] as const)("that are %s are no reference", async (_, answers) => {
    const { feed } = feedThat(async () => answers as readonly (Hex | undefined)[]);
    expect(await feed.at(block)).toBeUndefined();
    expect(feed.trouble()).toBe("the contract tells no price");
  });

  test("a node that fails leaves no reference, and says so", async () => {
    const { feed } = feedThat(() => Promise.reject(new Error("no answer in time")));
    expect(await feed.at(block)).toBeUndefined();
    expect(feed.trouble()).toBe("no answer in time");
  });
});
