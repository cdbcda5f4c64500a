import { afterEach, describe, expect, test } from "vitest";
import { toAddress } from "../../src/domain/address.ts";
import type { LoggedQuote } from "../../src/domain/terms/logged-quote.ts";
import type { QuoteLog } from "../../src/quoting/record/quote-log.ts";

const [SELL, BUY] = ["11", "22"].map((digits) => toAddress(`0x${digits.repeat(20)}`)) as [never, never];

/** A quote of the least that every field can hold. */
export function quoteOf(requestId: string, more: Partial<LoggedQuote> = {}): LoggedQuote {
  const fill = { from: SELL, to: BUY, source: "Uniswap_V2", pool: "0x33", sellAmount: 2n ** 200n, buyAmount: -1n };
  return {
    requestId,
    at: 77,
    chainId: 1,
    block: { number: 100n, hash: `0x${"ab".repeat(32)}`, parentHash: `0x${"cd".repeat(32)}`, timestamp: 5n },
    taker: undefined,
    transaction: { to: SELL, data: "0x1234", value: 0n },
    calldataHash: "0x56",
    allowanceTarget: BUY,
    terms: {
      sellToken: SELL,
      buyToken: BUY,
      maxSellAmount: 2n ** 256n - 1n,
      minBuyAmount: 1n,
      recipient: BUY,
      deadline: 9n,
      fee: undefined,
    },
    sellAmount: 3n,
    buyAmount: 4n,
    route: [fill as LoggedQuote["route"][number]],
    makerOrders: [{ source: "Desk", maker: "0x44" }],
    ...more,
  };
}

/** Holds every implementation of QuoteLog to the same. `create` answers what opens one log that holds `most` quotes. */
export function describeQuoteLog(name: string, create: (most?: number) => () => QuoteLog | Promise<QuoteLog>) {
  const ends: (() => void)[] = [];
  afterEach(() => {
    for (const end of ends.splice(0).reverse()) end();
  });

  function world(most?: number) {
    const open = create(most);
    return async () => {
      const log = await open();
      ends.push(log.close);
      return log;
    };
  }

  describe(`quotes kept ${name}`, () => {
    test("are read as they were written, also by others and with what is undefined", async () => {
      const open = world();
      const fee = { ratePpm: 1_000n, recipient: SELL };
      const bare = quoteOf("a");
      const full = quoteOf("b", { taker: SELL, terms: { ...bare.terms, fee } });
      for (const quote of [bare, full]) (await open()).record(quote);
      const other = await open();
      await expect.poll(() => other.find("a")).toStrictEqual([bare]);
      await expect.poll(() => other.find("b")).toStrictEqual([full]);
    });

    test("are found by request ids that look like numbers, and are none for unknown ones", async () => {
      const log = await world()();
      log.record(quoteOf("12n"));
      expect((await log.find("12n")).map(({ requestId }) => requestId)).toEqual(["12n"]);
      for (const unknown of ["12", "", "12n ", "nobody's"]) expect(await log.find(unknown)).toEqual([]);
    });

    test("of one request id stand in the order in which they were given out", async () => {
      const log = await world()();
      for (const at of [3, 1, 2]) {
        log.record(quoteOf("a", { at }));
        log.record(quoteOf("b", { at }));
      }
      expect((await log.find("a")).map(({ at }) => at)).toEqual([3, 1, 2]);
    });

    test("make room for newer ones when there are too many", async () => {
      const log = await world(10)();
      for (let i = 0; i < 1_000; i += 1) log.record(quoteOf(`q${i}`));
      expect(await log.find("q989")).toHaveLength(0);
      expect(await log.find("q990")).toHaveLength(1);
    });
  });
}
