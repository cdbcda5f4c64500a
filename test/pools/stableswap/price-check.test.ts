import fc from "fast-check";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Call } from "../../../src/market/chain-reader.ts";
import { isRejection } from "../../../src/pools/pool-math.ts";
import { stableswapMath } from "../../../src/pools/stableswap/math.ts";
import { passesCheck } from "../../../src/pools/stableswap/price-check.ts";
import type { StableswapState } from "../../../src/pools/stableswap/state.ts";
import { stateAt } from "../../../src/pools/stableswap/state-at.ts";
import { poolContract } from "../../support/suites/pool-contract.ts";
import { countCases } from "../../support/suites/tried-cases.ts";
import { type Anvil, startAnvil } from "../../venues/worlds/anvil.ts";
import {
  deployPancakeStable,
  type PancakeStableTerms,
  pancakeStableCall,
  pancakeStableState,
  setPancakeStable,
} from "../../venues/worlds/curve/pancake-stableswap.ts";
import { allowPool } from "../../venues/worlds/curve/stableswap.ts";
import { createRandom } from "../../venues/worlds/traffic/random.ts";
import { directionsOf } from "../curve/directions.ts";

/** PancakeSwap's StableSwap and Lista's check, held against a contract of the documented formulas. */

const LONG = process.env.TRIBUTARY_LONG === "1";
const STATES = LONG ? 600 : 4;
const EXCHANGES_PER_STATE = 12;
const ONE = 10n ** 18n;
const BOTH: [bigint, bigint] = [ONE, ONE];

vi.setConfig({ testTimeout: LONG ? 3_600_000 : 180_000 });

let anvil: Anvil;

beforeAll(async () => {
  anvil = await startAnvil();
});
afterAll(() => anvil?.stop());

const KINDS: readonly PancakeStableTerms[] = [
  { kind: "pancake", precision: 1n, decimals: [18, 18], a: 1_000n, fee: 4_000_000n },
  { kind: "pancake", precision: 100n, decimals: [18, 6, 8], a: 300n, fee: 1_000_000n },
  { kind: "lista", precision: 100n, decimals: [18, 18], a: 100n, fee: 1_000_000n },
  { kind: "lista", precision: 100n, decimals: [6, 18], a: 50n, fee: 10_000n },
  { kind: "lista", precision: 100n, decimals: [18, 8], a: 2_000n, fee: 4_000_000n },
];

/** Prices near those at which the pool trades, off by up to `offPpm` parts of a million. */
function pricesNear(state: StableswapState, offPpm: bigint): [bigint, bigint] {
  const { priceCheck: _, ...free } = state;
  const spot = stableswapMath.spotPrice({ ...free, fee: 0n }, { sell: 0, buy: 1 }, 0n);
  if (spot === undefined) return BOTH;
  const [first, second] = state.rates as [bigint, bigint];
  // The first coin's, where the second is worth two dollars.
  const price = (2n * ONE * spot.num * second) / (spot.den * first);
  return [(price * (1_000_000n + offPpm)) / 1_000_000n, 2n * ONE];
}

test.each(KINDS)("an exchange pays what is said, leaves what is said and passes the check: %o", async (terms) => {
  const seed = 7_000 + KINDS.indexOf(terms);
  const random = createRandom(seed);
  const { kind, precision } = terms;
  const tried = countCases("pancake-stableswap", `${kind}-${precision}-${terms.decimals.join("-")}`, seed);
  const pool = await deployPancakeStable(anvil, terms);
  await allowPool(anvil, pool);
  const seen = { exchanges: 0, refused: 0, atCheck: 0, broughtBack: 0, beyond: 0, refusedBeyond: 0 };
  for (let round = 0; round < STATES; round++) {
    const size = random.between(10n ** 20n, 10n ** 27n);
    const even = pancakeStableState(pool, [], BOTH, BOTH);
    const balances = even.rates.map((rate) => (random.between(size / 4n, size * 4n) * ONE) / rate + 1n);
    const off = BigInt(random.int(-25_000, 25_000));
    const prices = pricesNear({ ...even, balances }, off);
    const thresholds: [bigint, bigint] = [random.between(ONE / 100n, ONE / 20n), random.between(ONE / 100n, ONE / 20n)];
    const state = pancakeStableState(pool, balances, prices, thresholds);
    await setPancakeStable(anvil, pool, balances);
    await anvil.send(pool.address, pancakeStableCall("set_prices", [prices, thresholds, false]));
    const head = await anvil.mine();
    const current = stateAt(state, head.timestamp);
    const isOut = !isRejection(current) && !passesCheck(current);
    // Each in a call of its own, from the same state, all at once.
    const exchange = async () => {
      const sell = random.int(0, balances.length - 1);
      const buy = (sell + random.int(1, balances.length - 1)) % balances.length;
      const { maxSell } = stableswapMath.limits(state, { sell, buy }, head.timestamp);
      const atMost = random.chance(0.2);
      const amount = atMost ? maxSell : random.between(1n, maxSell > 1n ? maxSell : 1n);
      const quote = stableswapMath.quoteExactIn(state, { sell, buy }, amount, head.timestamp);
      const trade = (sold: bigint): Call => ({
        to: pool.address,
        data: pancakeStableCall("exchange", [BigInt(sell), BigInt(buy), sold, 0n]),
      });
      const { priceCheck: _, ...free } = state;
      const isBound = stableswapMath.limits(free, { sell, buy }, head.timestamp).maxSell > maxSell;
      const look = (i: number): Call => ({ to: pool.address, data: pancakeStableCall("balances", [BigInt(i)]) });
      if (isBound && maxSell > 0n) {
        seen.beyond++;
        const [, left] = await anvil.reader.calls([trade(maxSell + maxSell / 50n + 1n), look(sell)], head);
        if (BigInt(left ?? 0) === balances[sell]) seen.refusedBeyond++;
      }
      if (isRejection(quote)) {
        seen.refused++;
        return;
      }
      if (atMost && isBound) seen.atCheck++;
      const [, ...after] = await anvil.reader.calls([trade(amount), ...balances.map((_, i) => look(i))], head);
      tried.same(
        quote.next.balances,
        after.map((word) => word && BigInt(word)),
      );
      seen.exchanges++;
      if (isOut) seen.broughtBack++;
    };
    await Promise.all(Array.from({ length: EXCHANGES_PER_STATE }, exchange));
  }
  expect(seen.exchanges).toBeGreaterThan(STATES * EXCHANGES_PER_STATE * 0.2);
  if (kind === "pancake") expect(seen.beyond).toBe(0);
  else {
    expect(seen.atCheck).toBeGreaterThan(0);
    expect(seen.refusedBeyond).toBeGreaterThan(0.9 * seen.beyond);
    if (LONG) expect(seen.broughtBack).toBeGreaterThan(0);
  }
});

/** Pools with a check, near its middle or out of it. */
const checked: fc.Arbitrary<StableswapState> = fc
  .record({
    terms: fc.constantFrom(...KINDS.filter(({ kind }) => kind !== "pancake")),
    size: fc.double({ min: 4, max: 8, noNaN: true }),
    skew: fc.double({ min: -0.6, max: 0.6, noNaN: true }),
    off: fc.integer({ min: -12_000, max: 12_000 }),
  })
  .map(({ terms, size, skew, off }) => {
    const even = pancakeStableState(terms, [], BOTH, BOTH);
    const balances = even.rates.map(
      (rate, i) => (BigInt(Math.floor(10 ** (size + (i === 0 ? skew : -skew)) * 1e6)) * 10n ** 30n) / rate,
    );
    const prices = pricesNear({ ...even, balances }, BigInt(off));
    return pancakeStableState(terms, balances, prices, [3n * 10n ** 16n, 2n * 10n ** 16n]);
  });

poolContract("a stableswap with Lista's check", {
  math: stableswapMath,
  exactOutExtra: () => 0n,
  feeRounding: () => 16n,
  roundingOf: (state, direction) =>
    8 + Number(((state.rates[direction.sell] as bigint) * 4n) / (state.rates[direction.buy] as bigint)),
  ...{ states: checked, directions: directionsOf(2) },
});

test("a pool whose price is out of bounds serves those who bring it back, and nobody else", () => {
  const terms: PancakeStableTerms = { kind: "lista", precision: 100n, decimals: [6, 18], a: 50n, fee: 10_000n };
  const balances = [10n ** 12n, 10n ** 24n];
  const limitsAt = (price: bigint) => {
    const state = pancakeStableState(terms, balances, [price, ONE], [ONE / 100n, ONE / 100n]);
    return [0, 1].map((sell) => {
      const direction = { sell, buy: 1 - sell };
      const { maxSell } = stableswapMath.limits(state, direction, 0n);
      const little = stableswapMath.quoteExactIn(state, direction, maxSell / 1_000n + 1n, 0n);
      return [maxSell > 0n, isRejection(little) ? little.rejected : "paid"];
    });
  };
  expect(limitsAt(ONE)).toEqual([
    [true, "paid"],
    [true, "paid"],
  ]);
  const [back, away] = [
    [true, "TOO_SMALL"],
    [false, "NO_LIQUIDITY"],
  ];
  expect(limitsAt((ONE * 102n) / 100n)).toEqual([away, back]);
  expect(limitsAt((ONE * 98n) / 100n)).toEqual([back, away]);
});
