import { expect, test } from "vitest";
import { createSimulationTurns } from "../../../src/quoting/watch/simulation-turns.ts";

const GAS = { expected: 100_000n, limit: 120_000n };

/** Watched requests of accounts, whose routes change at every block, by a clock that the test moves. */
function setUp(perSecond: number) {
  const clock = { ms: 0 };
  const turns = createSimulationTurns(perSecond, () => clock.ms);
  const watched: { readonly account: string; readonly gas: ReturnType<typeof turns.gasFor> }[] = [];
  const watch = (account: string, count: number) => {
    for (let i = 0; i < count; i += 1) watched.push({ account, gas: turns.gasFor(() => account) });
  };
  /** Prices all at so many blocks; the simulations of each account. */
  const price = (blocks: number, blockMs: number) => {
    const simulated = new Map<string, number>();
    for (let block = 0; block < blocks; block += 1) {
      for (const { account, gas } of watched) {
        if (gas.of(String(block)) === undefined && gas.mayProve()) {
          simulated.set(account, (simulated.get(account) ?? 0) + 1);
        }
      }
      clock.ms += blockMs;
    }
    return simulated;
  };
  return { clock, turns, watched, watch, price };
}

test("are bound in a second, however many requests there are and however fast blocks come", () => {
  const { watch, price } = setUp(5);
  watch("greedy", 1_000);
  const { greedy } = Object.fromEntries(price(600, 100));
  // 60 seconds, and those of one second that were left at the beginning.
  expect(greedy).toBeGreaterThan(295);
  expect(greedy).toBeLessThanOrEqual(305);
});

test("go from account to account: who watches little waits for nobody who watches much", () => {
  const { watch, price } = setUp(4);
  watch("greedy", 500);
  watch("modest", 1);
  const simulated = price(100, 1_000);
  // Its route changes at every block: it is proven again as often as it waits its turn, a block at most.
  expect(simulated.get("modest")).toBeGreaterThanOrEqual(50);
  expect(simulated.get("greedy")).toBeGreaterThan(250);
});

test("stand for routes over the same pools for a minute", () => {
  const { clock, turns } = setUp(1);
  const gas = turns.gasFor(() => "one");
  gas.keep("a b", GAS);
  expect([gas.of("a b"), gas.of("b a")]).toEqual([GAS, undefined]);
  clock.ms = 59_999;
  expect(gas.of("a b")).toEqual(GAS);
  clock.ms = 60_000;
  expect(gas.of("a b")).toBeUndefined();
});

test("are not kept for requests that nobody watches any more", () => {
  const { clock, turns } = setUp(1);
  const [first, second, third] = ["one", "one", "two"].map((account) => turns.gasFor(() => account));
  expect([first?.mayProve(), second?.mayProve(), third?.mayProve()]).toEqual([true, false, false]);
  second?.end();
  clock.ms = 1_000;
  expect(third?.mayProve()).toBe(true);
});

test("are none where there are to be none", () => {
  const { watch, price } = setUp(0);
  watch("one", 3);
  expect(price(10, 10_000).size).toBe(0);
});
