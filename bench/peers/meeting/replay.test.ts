import { describe, expect, it } from "vitest";
import { addressOf, pairOf } from "../../../fixtures/routing/pools.ts";
import type { Address } from "../../../src/domain/address.ts";
import { SHARE_ONE } from "../../../src/domain/route.ts";
import { mathOf, type Pool, withState } from "../../../src/pools/pool.ts";
import { isRejection } from "../../../src/pools/pool-math.ts";
import { evaluatePlan } from "../../../src/routing/plan/execution.ts";
import { type PlannedPath, replay, replayRoute } from "./replay.ts";
import type { PeerRequest } from "./requests.ts";

const A = addressOf(1);
const B = addressOf(2);
const C = addressOf(3);
const D = addressOf(4);
const AB = pairOf(1, [A, B], [10n ** 24n, 10n ** 24n]);
const BC = pairOf(2, [B, C], [10n ** 24n, 10n ** 24n]);
const AC = pairOf(3, [A, C], [10n ** 24n, 10n ** 24n]);
const CD = pairOf(4, [C, D], [10n ** 24n, 10n ** 24n]);
const BD = pairOf(5, [B, D], [10n ** 24n, 10n ** 24n]);
const pools = new Map([AB, BC, AC, CD, BD].map((pool) => [pool.id, pool]));
const TIME = 1n;
const SOLD = 10n ** 22n;

function hop(pool: Pool, sellToken: Address, buyToken: Address): PlannedPath["hops"][0] {
  return { pool: pool.id, sellToken, buyToken };
}

function asked(buyToken: Address): PeerRequest {
  return { sellToken: A, buyToken, sellAmount: SOLD, gasPrice: 0n, group: "random", part: 1 };
}

function play(buyToken: Address, ...paths: PlannedPath[]) {
  return replay(paths, asked(buyToken), pools, TIME);
}

describe("a peer's plan", () => {
  it("pays what settlement pays for the same fills", () => {
    const fill = (pool: Pool) => ({ pool, direction: { sell: 0, buy: 1 }, share: SHARE_ONE });
    const order = { kind: "exactIn", sellToken: A, buyToken: C, sellAmount: SOLD } as const;
    const route = evaluatePlan([fill(AB), fill(BC)], order, TIME);
    if ("broken" in route) throw new Error("the plan is sound");
    const gas = route.fills.reduce((sum, one) => sum + one.gas, 0n);
    const plan = { sellAmount: SOLD, hops: [hop(AB, A, B), hop(BC, B, C)] };
    expect(play(C, plan)).toEqual({ ok: true, buyAmount: route.buyAmount, gas, pools: 2 });
  });

  it("finds pools as the paths before have left them, and pays for a pool use of them once", () => {
    const first = { sellAmount: SOLD / 4n, hops: [hop(AB, A, B), hop(BC, B, C)] };
    const second = { sellAmount: (SOLD * 3n) / 4n, hops: [hop(AB, A, B), hop(BD, B, D), hop(CD, D, C)] };
    let states = new Map<string, Pool>();
    let [buyAmount, gas] = [0n, 0n];
    for (const { sellAmount, hops } of [first, second]) {
      let amount = sellAmount;
      for (const { pool: id, sellToken } of hops) {
        const pool = states.get(id) ?? (pools.get(id) as Pool);
        const sell = pool.tokens.indexOf(sellToken);
        const quote = mathOf(pool).quoteExactIn(pool.state, { sell, buy: 1 - sell }, amount, TIME);
        if (isRejection(quote)) throw new Error("the plan is sound");
        if (!states.has(id)) gas += quote.gas;
        states = new Map([...states, [id, withState(pool, quote.next)]]);
        amount = quote.amount;
      }
      buyAmount += amount;
    }
    expect(play(C, first, second)).toEqual({ ok: true, buyAmount, gas, pools: 4 });
    const unmoved = [first, second].map((path) =>
      replay([path], { ...asked(C), sellAmount: path.sellAmount }, pools, TIME),
    );
    expect(unmoved.reduce((sum, one) => sum + (one.ok ? one.buyAmount : 0n), 0n)).toBeGreaterThan(buyAmount);
  });

  it("is outside the feasible set when its tokens have no order", () => {
    const there = { sellAmount: SOLD / 2n, hops: [hop(AB, A, B), hop(BC, B, C), hop(CD, C, D)] };
    const back = { sellAmount: SOLD / 2n, hops: [hop(AC, A, C), hop(BC, C, B), hop(BD, B, D)] };
    expect(play(D, there, back)).toMatchObject({ ok: true, outside: "tokens in no order" });
    expect(play(D, { ...there, sellAmount: SOLD })).not.toHaveProperty("outside");
    expect(play(D, { ...back, sellAmount: SOLD })).not.toHaveProperty("outside");
    const round = { sellAmount: SOLD, hops: [hop(AB, A, B), hop(BC, B, C), hop(AC, C, A), hop(AB, A, B)] };
    expect(play(B, round)).toMatchObject({ ok: true, outside: "tokens in no order" });
  });

  it("is outside the feasible set when a path is longer than four pools", () => {
    const long = [hop(AB, A, B), hop(BC, B, C), hop(CD, C, D), hop(BD, D, B), hop(AB, B, A)];
    expect(play(A, { sellAmount: SOLD, hops: long })).toMatchObject({ ok: true, outside: "too many hops" });
  });

  it("has to sell everything, along pools that take it", () => {
    expect(play(B, { sellAmount: SOLD - 1n, hops: [hop(AB, A, B)] })).toEqual({
      ok: false,
      why: "not the whole amount",
    });
    expect(play(C, { sellAmount: SOLD, hops: [hop(AB, A, B)] })).toEqual({ ok: false, why: "a pool refuses" });
    expect(play(C, { sellAmount: SOLD, hops: [hop(BC, B, C)] })).toEqual({ ok: false, why: "a pool refuses" });
  });
});

describe("a route of ours", () => {
  const fill = (pool: Pool, share = SHARE_ONE) => ({ pool, direction: { sell: 0, buy: 1 }, share });
  const order = { kind: "exactIn", sellToken: A, buyToken: C, sellAmount: SOLD } as const;
  const route = evaluatePlan([fill(AB, SHARE_ONE / 2n), fill(AC), fill(BC)], order, TIME);
  if ("broken" in route) throw new Error("the route is sound");

  it("is worth what its fills bring and cost", () => {
    const gas = route.fills.reduce((sum, one) => sum + one.gas, 0n);
    expect(replayRoute(route, pools, TIME)).toEqual({ buyAmount: route.buyAmount, gas, pools: 3 });
  });

  it("may not say more than its pools pay, nor spend what has not come, nor leave anything behind", () => {
    const [first, ...others] = route.fills;
    if (first === undefined) throw new Error("the route has fills");
    const told = (fills: typeof route.fills) => () => replayRoute({ ...route, fills }, pools, TIME);
    expect(told([{ ...first, buyAmount: first.buyAmount + 1n }, ...others])).toThrow("does not pay");
    expect(told(route.fills.toReversed())).toThrow("has not arrived");
    expect(told([first])).toThrow("are left");
    expect(() => replayRoute({ ...route, buyAmount: route.buyAmount + 1n }, pools, TIME)).toThrow("are left");
  });
});
