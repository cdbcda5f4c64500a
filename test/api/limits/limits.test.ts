import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createChargeCall } from "../../../src/api/limits/charge.ts";
import { decide } from "../../../src/api/limits/gcra.ts";
import { limitHeaders } from "../../../src/api/limits/limit-headers.ts";
import { createMemoryLimiter } from "../../../src/stores/memory/limiter.ts";

const LIMIT = { unitsPerSecond: 10, burst: 20 };

/** One account's decisions, one after the other. */
function account(limit = LIMIT) {
  let fullAt: number | undefined;
  return (cost: number, now: number) => {
    const result = decide(fullAt, limit, cost, now);
    fullAt = result.fullAt;
    return result.decision;
  };
}

describe("the cell rate algorithm", () => {
  test("lets a burst through, then the rate", () => {
    const take = account();
    for (let left = 19; left >= 0; left--) expect(take(1, 0)).toMatchObject({ allowed: true, remaining: left });
    expect(take(1, 0)).toEqual({ allowed: false, remaining: 0, fullAfterMs: 2_000, retryAfterMs: 100 });
    expect(take(1, 99)).toMatchObject({ allowed: false, retryAfterMs: 1 });
    expect(take(1, 100)).toMatchObject({ allowed: true, remaining: 0 });
    expect(take(1, 100)).toMatchObject({ allowed: false });
    expect(take(1, 2_100)).toMatchObject({ allowed: true, remaining: 19 });
  });

  test("weighs calls", () => {
    const take = account();
    expect(take(15, 0)).toMatchObject({ allowed: true, remaining: 5 });
    expect(take(6, 0)).toEqual({ allowed: false, remaining: 5, fullAfterMs: 1_500, retryAfterMs: 100 });
    expect(take(5, 0)).toMatchObject({ allowed: true, remaining: 0 });
  });

  test("lets a call that costs more than the burst through when all units are there", () => {
    const take = account({ unitsPerSecond: 1, burst: 3 });
    expect(take(10, 0)).toMatchObject({ allowed: true, remaining: 0, fullAfterMs: 3_000 });
    expect(take(10, 2_999)).toMatchObject({ allowed: false, retryAfterMs: 1 });
    expect(take(10, 3_000)).toMatchObject({ allowed: true });
  });

  test("never lets more through than burst and rate, in any span, and all of it when it is asked for", () => {
    let refused = 0;
    const calls = fc.array(
      fc.record({ wait: fc.integer({ min: 0, max: 400 }), cost: fc.integer({ min: 1, max: 5 }) }),
      {
        minLength: 20,
        maxLength: 120,
      },
    );
    const limits = fc.record({
      unitsPerSecond: fc.integer({ min: 1, max: 50 }),
      burst: fc.integer({ min: 5, max: 50 }),
    });
    fc.assert(
      fc.property(calls, limits, (sequence, limit) => {
        const take = account(limit);
        const passed: { at: number; cost: number }[] = [];
        let at = 0;
        for (const { wait, cost } of sequence) {
          at += wait;
          const decision = take(cost, at);
          if (decision.allowed) passed.push({ at, cost });
          else {
            refused++;
            expect(take(cost, at + decision.retryAfterMs + 1e-3).allowed).toBe(true);
            at += decision.retryAfterMs + 1e-3;
            passed.push({ at, cost });
          }
        }
        for (let from = 0; from < passed.length; from++) {
          let sum = 0;
          for (const { at: until, cost } of passed.slice(from)) {
            sum += cost;
            const span = until - passed[from]!.at;
            expect(sum).toBeLessThanOrEqual(limit.burst + (limit.unitsPerSecond * span) / 1_000 + 1e-3);
          }
        }
      }),
      { seed: 20_261_121, numRuns: 100 },
    );
    expect(refused).toBeGreaterThan(500);
  });
});

test("times are told in whole seconds that are long enough", async () => {
  const limit = { unitsPerSecond: 0.4, burst: 1 };
  const charge = createChargeCall(
    createMemoryLimiter(() => 0),
    limit,
  );
  const { headers } = await charge({ keyId: "slow" }, "GetPrice");
  expect(headers).toEqual({ "ratelimit-policy": '"default";q=1;w=3', ratelimit: '"default";r=0;t=3' });
  expect((await charge({ keyId: "slow" }, "GetPrice")).refusal).toMatchObject({ retryAfterSeconds: 3 });
});

test("the headers are those of the draft", () => {
  const decision = { allowed: true, remaining: 7, fullAfterMs: 1_201, retryAfterMs: 0 };
  expect(limitHeaders(LIMIT, decision)).toEqual({
    "ratelimit-policy": '"default";q=20;w=2',
    ratelimit: '"default";r=7;t=2',
  });
  expect(limitHeaders({ unitsPerSecond: 100, burst: 5 }, { ...decision, fullAfterMs: 0 })).toEqual({
    "ratelimit-policy": '"default";q=5;w=1',
    ratelimit: '"default";r=7;t=0',
  });
});

describe("a charge", () => {
  test("weighs methods, and keys of one account share its limit", async () => {
    const charge = createChargeCall(
      createMemoryLimiter(() => 0),
      LIMIT,
    );
    expect(await charge({ keyId: "a", account: "acme" }, "GetPrice")).toMatchObject({ units: 1 });
    expect(await charge({ keyId: "b", account: "acme" }, "GetQuote")).toMatchObject({
      units: 5,
      headers: { ratelimit: '"default";r=14;t=1' },
    });
    expect(await charge({ keyId: "c" }, "WatchPrice")).toMatchObject({
      units: 10,
      headers: { ratelimit: '"default";r=10;t=1' },
    });
  });

  test("of a refused call is nothing", async () => {
    const charge = createChargeCall(
      createMemoryLimiter(() => 0),
      undefined,
    );
    const narrow = { keyId: "a", limit: { unitsPerSecond: 1, burst: 1 } };
    expect((await charge(narrow, "GetPrice")).refusal).toBeUndefined();
    const { units, refusal, headers } = await charge(narrow, "GetPrice");
    expect({ units, headers }).toEqual({
      units: 0,
      headers: { "ratelimit-policy": '"default";q=1;w=1', ratelimit: '"default";r=0;t=1' },
    });
    expect(refusal).toMatchObject({ kind: "TOO_MANY_REQUESTS", retryAfterSeconds: 1 });
  });

  test("is unlimited without a limit", async () => {
    const charge = createChargeCall(
      createMemoryLimiter(() => 0),
      undefined,
    );
    for (let i = 0; i < 1_000; i++)
      expect(await charge({ keyId: "a" }, "GetPrice")).toMatchObject({ units: 1, headers: {} });
    // The cost of searches still counts as usage.
    const { settle } = await charge({ keyId: "a" }, "GetPrice");
    expect(await settle(60_000)).toEqual({ units: 2, headers: {} });
  });
});
