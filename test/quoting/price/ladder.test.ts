import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { createEngine } from "../../../src/compose/engine.ts";
import { openMarket } from "../../../src/compose/snapshot-market.ts";
import { devnetChain } from "../../../src/devnet/chain.ts";
import { devnetLayout } from "../../../src/devnet/markets/devnet-layout.ts";
import { devnetAccounts } from "../../../src/devnet/node/accounts.ts";
import { mathOf } from "../../../src/pools/pool.ts";
import { isRejection } from "../../../src/pools/pool-math.ts";
import type { PriceAnswer, SwapRequest } from "../../../src/quoting/answer/types.ts";
import { planLadder } from "../../../src/quoting/price/ladder-plan.ts";
import { createPriceLists, type PriceList } from "../../../src/quoting/price/price-lists.ts";
import { SEARCH_BUDGET } from "../../../src/quoting/search/search-budget.ts";
import { readSnapshotFile } from "../../../src/snapshot/file.ts";
import { createSources } from "../../../src/venues/index.ts";

const saved = readSnapshotFile(fileURLToPath(new URL("../../../bench/universes/devnet.bin", import.meta.url)));
const sources = new Map(
  createSources(devnetChain(devnetLayout(devnetAccounts().whale), 0)).map((source) => [source.id, source]),
);
const opened = openMarket(saved);
const { quoting } = createEngine({
  ...opened,
  sources,
  deployment: { deployed: true },
  config: {
    ...{ wrappedNative: saved.wrappedNative, quoteTtlSeconds: 120 },
    budget: { ...SEARCH_BUDGET, maxHops: 4, maxFills: 64 },
  },
  now: () => Number(saved.block.timestamp) * 1_000,
});
const lists = createPriceLists(quoting, opened.market);
const now = opened.market.current();
if ("unavailable" in now) throw new Error(now.unavailable);
const { snapshot } = now;

const token = (symbol: string) => saved.tokens.find((one) => one.symbol === symbol)!;
type Kind = SwapRequest["amount"]["kind"];
const request = (sell: string, buy: string, kind: Kind, amount: bigint): SwapRequest => ({
  ...{ sellToken: token(sell), buyToken: token(buy), slippage: 10n ** 16n, sources: { kind: "all" } },
  amount: kind === "exactIn" ? { kind, sellAmount: amount } : { kind, buyAmount: amount },
  skipValidation: true,
});
const stepsOf = async <T>(work: (context: Parameters<typeof lists.ladder>[1]) => Promise<T>) => {
  let steps = 0;
  const spent = (more: number) => {
    steps += more;
  };
  const result = await work({ requestId: "ladder", signal: new AbortController().signal, spent });
  return { result, steps };
};
const answersOf = ({ results }: PriceList) => results.map((result) => ("answer" in result ? result.answer : undefined));
/** By how many basis points an answer's route is worth less than another's, after gas. */
const lossBps = (answer: PriceAnswer, other: PriceAnswer, kind: Kind) => {
  const [own, best] = [answer.optimality!.achieved, other.optimality!.achieved];
  return (Number(kind === "exactIn" ? best - own : own - best) / Number(best)) * 10_000;
};

const CASES = [
  ["USDH", "ETH", "exactIn", 500n * 10n ** 6n],
  ["WETH", "DSD", "exactIn", 10n ** 18n],
  ["WBT", "ETH", "exactOut", 5n * 10n ** 17n],
] as const;
/** Amounts in no order, some of them equal, over a factor of forty. */
const PARTS = [10n, 400n, 11n, 37n, 25n, 100n, 160n, 11n, 250n, 60n, 13n, 300n];
/** The first price of a process also makes the graph. */
const TIMEOUT = 60_000;

it("has prices as good as those by themselves, for fewer steps, and says what prices prove", {
  timeout: TIMEOUT,
}, async () => {
  const all = { ladder: 0, single: 0, others: 0 };
  for (const [sell, buy, kind, base] of CASES) {
    const requests = PARTS.map((part) => request(sell, buy, kind, (base * part) / 10n));
    const ladder = await stepsOf((context) => lists.ladder(requests, context));
    const singles = await stepsOf((context) => lists.prices(requests, context));
    all.ladder += ladder.steps;
    all.single += singles.steps;
    const alone = answersOf(singles.result);
    for (const [at, answer] of answersOf(ladder.result).entries()) {
      const single = alone[at]!;
      expect(lossBps(answer!, single, kind)).toBeLessThan(1);
      // No route is better than the bound, the single price's neither.
      const { bound } = answer!.optimality!;
      const open = kind === "exactIn" ? bound - single.optimality!.achieved : single.optimality!.achieved - bound;
      expect(open).toBeGreaterThanOrEqual(0n);
      if (answer!.optimality!.bound !== single.optimality!.bound) all.others += 1;
    }
  }
  expect(all.others).toBeGreaterThan(5);
  expect(all.ladder).toBeLessThan(0.55 * all.single);
});

it("takes fewer steps for amounts that are one to floats", { timeout: TIMEOUT }, async () => {
  const [sell, buy, kind, base] = CASES[1];
  const requests = Array.from({ length: 8 }, (_, more) => request(sell, buy, kind, base + BigInt(more)));
  const ladder = await stepsOf((context) => lists.ladder(requests, context));
  const singles = await stepsOf((context) => lists.prices(requests, context));
  expect(ladder.steps).toBeLessThan(0.5 * singles.steps);
});

it("pays to the wei what the pools do", { timeout: TIMEOUT }, async () => {
  const { graph, block } = snapshot;
  let compared = 0;
  for (const [sell, buy, kind, base] of CASES) {
    const requests = PARTS.map((part) => request(sell, buy, kind, (base * part) / 10n));
    const { result } = await stepsOf((context) => lists.ladder(requests, context));
    for (const { route } of answersOf(result).map((answer) => answer!)) {
      for (const { pool: id, from, to, sellAmount, buyAmount } of route.fills) {
        if (route.fills.filter((other) => other.pool === id).length > 1) continue;
        const pool = graph.pool(id)!;
        const direction = { sell: pool.tokens.indexOf(from), buy: pool.tokens.indexOf(to) };
        const { quoteExactIn, quoteExactOut } = mathOf(pool);
        const [quoteOf, given, wanted] =
          kind === "exactIn" ? [quoteExactIn, sellAmount, buyAmount] : [quoteExactOut, buyAmount, sellAmount];
        const quote = quoteOf(pool.state, direction, given, block.timestamp);
        expect(isRejection(quote) ? quote.rejected : quote.amount).toBe(wanted);
        compared += 1;
      }
    }
  }
  expect(compared).toBeGreaterThan(50);
});

it("of one amount has the price of that amount by itself", { timeout: TIMEOUT }, async () => {
  for (const [sell, buy, kind, amount] of CASES) {
    const one = request(sell, buy, kind, amount);
    const { result } = await stepsOf((context) => lists.ladder([one, one], context));
    const { result: alone } = await stepsOf((context) => quoting.price(one, context));
    for (const answer of answersOf(result)) {
      const { proof: _, ...shown } = answer!;
      expect(shown).toEqual(alone);
    }
  }
});

it("does not depend on the order of its amounts, nor on who asked before", { timeout: TIMEOUT }, async () => {
  const [sell, buy, kind, base] = CASES[0];
  const requests = PARTS.map((part) => request(sell, buy, kind, (base * part) / 10n));
  const { result: first } = await stepsOf((context) => lists.ladder(requests, context));
  const { result: again } = await stepsOf((context) => lists.ladder(requests.toReversed(), context));
  expect(again.results.toReversed()).toEqual(first.results);
});

it("refuses an amount by itself, and prices the others", { timeout: TIMEOUT }, async () => {
  const amounts = [10n ** 9n, 10n ** 40n, 2n * 10n ** 9n, 3n * 10n ** 9n];
  const requests = amounts.map((amount) => request("USDH", "ETH", "exactIn", amount));
  const { result } = await stepsOf((context) => lists.ladder(requests, context));
  expect(result.results.map((one) => "answer" in one)).toEqual([true, false, true, true]);
});

it.each([
  ["one amount", [5n], [0], []],
  ["equal amounts", [5n, 5n], [0, 1], []],
  ["amounts within a factor of four", [40n, 10n, 20n], [1, 0], [[2, 1, 0]]],
  [
    "amounts further apart",
    [1n, 12n, 3n, 4n, 8n, 100n],
    [0, 3, 1, 5],
    [
      [2, 0, 3],
      [4, 3, 1],
    ],
  ],
] as const)("searches the ends in full, and no factor above four between: %s", (_, amounts, full, between) => {
  const plan = planLadder(amounts);
  expect(plan.full).toEqual(full);
  expect(plan.between.map(({ place, from }) => [place, ...from])).toEqual(between);
});
