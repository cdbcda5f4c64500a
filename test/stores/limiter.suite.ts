import { describe, expect, test } from "vitest";
import type { Decision } from "../../src/api/limits/gcra.ts";
import type { Limiter } from "../../src/api/limits/limiter.ts";

const LIMIT = { unitsPerSecond: 10, burst: 20 };

/** Holds every implementation of Limiter to the same, whether it answers at once or later. */
export function describeLimiter(name: string, create: (now: () => number) => Limiter) {
  function world() {
    const clock = { now: 0 };
    return { clock, limiter: create(() => clock.now) };
  }

  describe(`limits kept ${name}`, () => {
    test("let a burst through, then the rate", async () => {
      const { limiter, clock } = world();
      for (let left = 19; left >= 0; left--) {
        expect(await limiter.take("a", LIMIT, 1)).toEqual({
          allowed: true,
          remaining: left,
          fullAfterMs: (20 - left) * 100,
          retryAfterMs: 0,
        });
      }
      const refused = { allowed: false, remaining: 0, fullAfterMs: 2_000, retryAfterMs: 100 };
      expect(await limiter.take("a", LIMIT, 1)).toEqual(refused);
      expect(await limiter.take("a", LIMIT, 1)).toEqual(refused);
      clock.now = 100;
      expect(await limiter.take("a", LIMIT, 1)).toMatchObject({ allowed: true, remaining: 0 });
      expect(await limiter.take("a", LIMIT, 1)).toMatchObject({ allowed: false });
    });

    test("keep accounts apart", async () => {
      const { limiter } = world();
      expect(await limiter.take("a", LIMIT, 20)).toMatchObject({ allowed: true, remaining: 0 });
      expect(await limiter.take("b", LIMIT, 1)).toMatchObject({ allowed: true, remaining: 19 });
      expect(await limiter.take("a", LIMIT, 1)).toMatchObject({ allowed: false });
    });

    test("take all units of a call or none", async () => {
      const { limiter } = world();
      await limiter.take("a", LIMIT, 15);
      expect(await limiter.take("a", LIMIT, 6)).toMatchObject({ allowed: false, remaining: 5, retryAfterMs: 100 });
      expect(await limiter.take("a", LIMIT, 5)).toMatchObject({ allowed: true, remaining: 0 });
    });

    test("let a call that costs more than the burst through when all units are there", async () => {
      const { limiter, clock } = world();
      expect(await limiter.take("a", LIMIT, 100)).toMatchObject({ allowed: true, fullAfterMs: 2_000 });
      clock.now = 1_999;
      expect(await limiter.take("a", LIMIT, 100)).toMatchObject({ allowed: false, retryAfterMs: 1 });
      clock.now = 2_000;
      expect(await limiter.take("a", LIMIT, 100)).toMatchObject({ allowed: true });
    });

    test("let calls at the same time take no unit twice", async () => {
      const { limiter } = world();
      const decisions: readonly Decision[] = await Promise.all(
        Array.from({ length: 50 }, async () => limiter.take("a", LIMIT, 1)),
      );
      expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(20);
    });

    test("charge for what has been done already, into debt", async () => {
      const { limiter, clock } = world();
      expect(await limiter.debit("a", LIMIT, 30)).toEqual({
        allowed: true,
        remaining: 0,
        fullAfterMs: 3_000,
        retryAfterMs: 0,
      });
      clock.now = 1_000;
      expect(await limiter.take("a", LIMIT, 1)).toMatchObject({ allowed: false, retryAfterMs: 100 });
      clock.now = 1_100;
      expect(await limiter.take("a", LIMIT, 1)).toMatchObject({ allowed: true, remaining: 0 });
      expect(await limiter.debit("b", LIMIT, 3)).toMatchObject({ remaining: 17 });
    });

    test("forget no account that is not full, however many come and go", async () => {
      const { limiter, clock } = world();
      for (let i = 0; i < 20_000; ) {
        // Together, in their order: one by one they would wait for a server each.
        const taking = Array.from({ length: 500 }, async () => {
          clock.now += 100;
          return limiter.take(`account ${i++}`, LIMIT, 20);
        });
        await Promise.all(taking);
      }
      // Taken 1,400 ms ago, in which 14 units came back.
      expect(await limiter.take("account 19985", LIMIT, 15)).toMatchObject({ allowed: false, remaining: 14 });
      expect(await limiter.take("account 1", LIMIT, 1)).toMatchObject({ allowed: true, remaining: 19 });
    });
  });
}
