import { describe, expect, it } from "vitest";
import { answerTo } from "../../../fixtures/routing/answer.ts";
import { FREE, graphOf } from "../../../fixtures/routing/request.ts";
import type { SwapOrder } from "../../../src/domain/order.ts";
import { costOfGas } from "../../../src/routing/network-cost.ts";
import type { Certificate } from "../../../src/routing/router.ts";
import { allPaths, boughtFrom, exhaustiveBest } from "../../support/trades/exhaustive.ts";
import { smallTrade } from "../../support/trades/small-trade.ts";

const COUNT = process.env.TRIBUTARY_LONG === "1" ? 800 : 100;

interface Outcome {
  readonly seed: number;
  /** Best output by exhaustive search within the limit, and the certificate. */
  readonly best: bigint;
  readonly limited: Certificate;
  /** The certificate where a route may have all pools. */
  readonly free: Certificate;
  /** Certificate of an exact-out trade for the best output, and the amount it sells; none with gas. */
  readonly reverse: Certificate | undefined;
  readonly sold: bigint;
}

function certificateOf(...asked: Parameters<typeof answerTo>): Certificate | undefined {
  const result = answerTo(...asked);
  return result.found ? result.certificate : undefined;
}

/** A trade in a seeded small universe by a route of one, two or three pools; its seed where only the router has none. */
function tradeIn(seed: number): Outcome | number | undefined {
  const { pools, order, cost, gas } = smallTrade(seed, "exactIn");
  if (order.kind !== "exactIn") throw new Error("not an amount to sell");
  const { sellToken, buyToken, sellAmount } = order;
  const maxFills = 1 + (seed % 3);
  const paths = allPaths(pools, sellToken, buyToken, 4);
  const costOf = (used: bigint) => costOfGas(cost, buyToken, used);
  const best = exhaustiveBest(paths, sellAmount, graphOf(pools).time, costOf, maxFills);
  if (best === undefined) return undefined;
  const limited = certificateOf(order, pools, cost, { maxFills });
  const free = certificateOf(order, pools, cost);
  if (limited === undefined || free === undefined) return seed;
  const buyAmount = gas
    ? 0n
    : (exhaustiveBest(paths, sellAmount, graphOf(pools).time, costOf, maxFills, boughtFrom) ?? 0n);
  const purchase: SwapOrder = { kind: "exactOut", sellToken, buyToken, buyAmount };
  const isBought = buyAmount > 0n;
  const reverse = isBought ? certificateOf(purchase, pools, FREE, { maxFills }) : undefined;
  if (isBought && reverse === undefined) return seed;
  return { seed, best, limited, free, reverse, sold: sellAmount };
}

describe("the certificate of routes of one, two or three pools", () => {
  const all = Array.from({ length: COUNT }, (_, seed) => tradeIn(seed)).filter((o) => o !== undefined);
  const outcomes = all.filter((o) => typeof o !== "number");

  it("is there wherever exhaustive search finds a route", () => {
    expect(all.filter((o) => typeof o === "number")).toEqual([]);
  });

  it("is never beaten by exhaustive search", () => {
    expect(outcomes.length).toBeGreaterThan(0.7 * COUNT);
    const beaten = outcomes.filter(({ best, limited }) => best > limited.bound || limited.achieved > limited.bound);
    expect(beaten.map(({ seed }) => seed)).toEqual([]);
  });

  it("is never beaten by what buys as much", () => {
    const bought = outcomes.flatMap(({ seed, sold, reverse }) =>
      reverse === undefined ? [] : [{ seed, sold, reverse }],
    );
    expect(bought.length).toBeGreaterThan(COUNT / 8);
    const beaten = bought.filter(({ sold, reverse }) => reverse.bound > sold || reverse.bound > reverse.achieved);
    expect(beaten.map(({ seed }) => seed)).toEqual([]);
  });

  it("counts the limit", () => {
    const lower = outcomes.filter(({ limited, free }) => limited.bound < free.achieved);
    expect(lower.length).toBeGreaterThan(COUNT / 10);
  });
});
