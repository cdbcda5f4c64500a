import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFakeQuoting, TAKER, USDC, WBTC, WETH } from "../../../fixtures/door/fake-quoting.ts";
import type { LoggedQuote } from "../../../src/domain/terms/logged-quote.ts";
import type { SwapRequest } from "../../../src/quoting/answer/types.ts";
import type { SimulationOutcome, Simulator } from "../../../src/quoting/ports.ts";
import type { QuoteLog } from "../../../src/quoting/record/quote-log.ts";
import { logQuotes } from "../../../src/quoting/record/record-quotes.ts";
import { replay } from "../../../src/quoting/record/replay.ts";
import { openQuoteLog } from "../../../src/stores/sqlite/quote-log.ts";

const REQUEST: SwapRequest = {
  sellToken: WETH,
  buyToken: USDC,
  amount: { kind: "exactIn", sellAmount: 1000n },
  slippage: 0n,
  sources: { kind: "all" },
  skipValidation: true,
};
const context = (requestId: string) => ({ requestId, signal: new AbortController().signal });
/** keccak256 of 0x1234. */
const HASH = "0x56570de287d73cd1cb6092bb8fdee6173974955fdef345ae579ee9f475ea7432";

let folder: string;
let log: QuoteLog;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "quotes-"));
  log = openQuoteLog(join(folder, "quotes.db"));
});
afterAll(() => {
  log.close();
  rmSync(folder, { recursive: true });
});

const options = { now: () => 77, onFault: (error: unknown) => expect.fail(String(error)) };

describe("a quote", () => {
  it("is on record with its request id, block, route and calldata, for other processes too", async () => {
    const quoting = logQuotes(createFakeQuoting(), log, options);
    const fee = { ratePpm: 1000n, recipient: WBTC.address };
    await quoting.quote({ ...REQUEST, taker: TAKER, fee }, context("12n"));
    await quoting.quote(REQUEST, context("12n"));
    await quoting.price(REQUEST, context("12n"));
    const reader = openQuoteLog(join(folder, "quotes.db"));
    const [first, second, ...more] = await reader.find("12n");
    reader.close();
    expect(more).toEqual([]);
    expect(first).toMatchObject({
      requestId: "12n",
      at: 77,
      chainId: 31337,
      block: { number: 100n, hash: `0x${"ab".repeat(32)}`, timestamp: 1_700_000_000n },
      taker: TAKER,
      transaction: { data: "0x1234", value: 0n },
      calldataHash: HASH,
      terms: { sellToken: WETH.address, maxSellAmount: 1000n, minBuyAmount: 2000n, deadline: 1_700_000_120n, fee },
      sellAmount: 1000n,
      buyAmount: 2000n,
      route: [{ source: "Uniswap_V2", sellAmount: 1000n, buyAmount: 2000n }],
    });
    expect([second?.taker, second?.terms.fee]).toEqual([undefined, undefined]);
    expect(await log.find("nobody's")).toEqual([]);
  });

  it("is given out also when it cannot be recorded, and somebody is told", async () => {
    const faults: unknown[] = [];
    const broken = {
      record: () => {
        throw new Error("the disk is full");
      },
    };
    const quoting = logQuotes(createFakeQuoting(), broken, { now: () => 1, onFault: (error) => faults.push(error) });
    expect((await quoting.quote(REQUEST, context("a"))).buyAmount).toBe(2000n);
    expect(faults).toHaveLength(1);
  });

  it("makes room also where it is opened again before there were many", async () => {
    const file = join(folder, "restarted.db");
    for (let start = 0; start < 3; start += 1) {
      const restarted = openQuoteLog(file, 10);
      const quoting = logQuotes(createFakeQuoting(), restarted, options);
      for (let i = 0; i < 20; i += 1) await quoting.quote(REQUEST, context(`${start}-${i}`));
      restarted.close();
    }
    const last = openQuoteLog(file, 10);
    const found = await Promise.all(["0-19", "1-19", "2-9", "2-10"].map(last.find));
    expect(found.map(({ length }) => length)).toEqual([0, 0, 0, 1]);
    last.close();
  });
});

describe("replaying a quote", () => {
  const recorded = async (change: Partial<SwapRequest> = {}): Promise<LoggedQuote> => {
    const kept: LoggedQuote[] = [];
    const quoting = logQuotes(createFakeQuoting(), { record: (quote) => kept.push(quote) }, options);
    await quoting.quote({ ...REQUEST, ...change }, context("r"));
    return kept[0]!;
  };
  const done = (change: object = {}): SimulationOutcome => ({
    ...{ kind: "done", gasUsed: 5n, gasLimit: 9n, bought: 2000n, sold: 1000n, secondsLater: 0n, ...change },
  });

  it.each<readonly [SimulationOutcome, object]>([
    [done(), { kind: "holds", gasUsed: 5n }],
    [done({ bought: 1999n }), { kind: "differs", reason: "it pays 1999 instead of 2000" }],
    [done({ sold: 999n }), { kind: "differs", reason: "it takes 999 instead of 1000" }],
    [
      done({ sold: 998n, secondsLater: 1n }),
      { kind: "differs", reason: "it takes 998 instead of 1000, run 1 s later than it was quoted for" },
    ],
    [
      done({ sold: 999n, secondsLater: 1n }),
      { kind: "near", reason: "it takes 999 instead of 1000, run 1 s later than it was quoted for" },
    ],
    [
      done({ bought: 2001n, sold: 998n, secondsLater: 1n }),
      { kind: "differs", reason: "it takes 998 instead of 1000, run 1 s later than it was quoted for" },
    ],
    [done({ secondsLater: 1n }), { kind: "holds", gasUsed: 5n }],
    [
      { kind: "reverted", reason: "TooLittle", data: "0x" },
      { kind: "differs", reason: "it reverts: TooLittle" },
    ],
    [
      { kind: "incomplete", reason: "missing trie node" },
      { kind: "gone", reason: "missing trie node" },
    ],
  ])("says of %o what it is", async (outcome, verdict) => {
    const asked: Parameters<Simulator["simulate"]>[0][] = [];
    const simulator: Simulator = {
      async simulate(request) {
        asked.push(request);
        return outcome;
      },
    };
    expect(await replay(await recorded({ taker: TAKER }), simulator)).toEqual(verdict);
    expect(asked).toMatchObject([
      { taker: TAKER, at: { number: 100n }, transaction: { data: "0x1234" }, terms: { maxSellAmount: 1000n } },
    ]);
  });

  it("notices a record that was changed", async () => {
    const quote = await recorded();
    const changed = { ...quote, transaction: { ...quote.transaction, data: "0x1235" as const } };
    const simulator: Simulator = { simulate: () => expect.fail("it was run") };
    expect((await replay(changed, simulator)).kind).toBe("differs");
  });
});
