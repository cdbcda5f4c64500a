import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Address } from "../../../src/domain/address.ts";
import type { Call } from "../../../src/market/chain-reader.ts";
import { isRejection } from "../../../src/pools/pool-math.ts";
import { stableswapMath } from "../../../src/pools/stableswap/math.ts";
import type { StableswapState } from "../../../src/pools/stableswap/state.ts";
import { countCases } from "../../support/suites/tried-cases.ts";
import { type Anvil, startAnvil } from "../../venues/worlds/anvil.ts";
import {
  allowPool,
  deployStableswap,
  STABLESWAP_KINDS,
  type StableswapTerms,
  setStableswap,
  stableswapCall,
} from "../../venues/worlds/curve/stableswap.ts";
import { createRandom } from "../../venues/worlds/traffic/random.ts";

/** Our numbers against exchanges with a contract of the documented formulas, over balances of every size. */

const SCALE = process.env.TRIBUTARY_LONG === "1" ? 150 : 1;
const STATES = 4 * SCALE;
const EXCHANGES_PER_STATE = 12;

vi.setConfig({ testTimeout: process.env.TRIBUTARY_LONG === "1" ? 3_600_000 : 180_000 });

let anvil: Anvil;

beforeAll(async () => {
  anvil = await startAnvil();
});
afterAll(() => anvil?.stop());

test.each(STABLESWAP_KINDS)("an exchange pays what is said and leaves what is said: %o", async (terms) => {
  const seed = Number(terms.a);
  const random = createRandom(seed);
  const tried = countCases("curve-stableswap", `${terms.ng ? "ng" : "old"}-${terms.decimals.join("-")}`, seed);
  const pool = await deployStableswap(anvil, terms);
  await allowPool(anvil, pool);
  const seen = { exchanges: 0, extreme: 0, refused: 0 };
  for (let round = 0; round < STATES; round++) {
    const size = random.between(10n ** 14n, 10n ** 28n);
    const rates = terms.decimals.map((each) => 10n ** BigInt(36 - each));
    if (terms.ng && random.chance(0.5))
      rates[0] = ((rates[0] as bigint) * BigInt(random.int(900_000, 2_000_000))) / 10n ** 6n;
    const balances = rates.map((rate) => (random.between(size / 40n, size * 40n) * 10n ** 18n) / rate + 1n);
    await setStableswap(anvil, pool, balances);
    await anvil.send(pool.address, stableswapCall("set_rate", [0n, rates[0]]));
    const head = await anvil.mine();
    const state: StableswapState = {
      ...{ balances, rates, initialA: terms.a * 100n, futureA: terms.a * 100n, initialATime: 0n, futureATime: 0n },
      ...{ aPrecision: 100n, fee: terms.fee, adminFee: 5n * 10n ** 9n, killed: false },
      ...(terms.ng ? { generation: "ng", offpegFeeMultiplier: terms.multiplier } : { generation: "old" }),
    };
    // Each in a call of its own, from the same state, all at once.
    const exchange = async () => {
      const sell = random.int(0, balances.length - 1);
      const buy = (sell + random.int(1, balances.length - 1)) % balances.length;
      const { maxSell } = stableswapMath.limits(state, { sell, buy }, head.timestamp);
      const amount = random.chance(0.15) ? maxSell : random.between(1n, maxSell > 1n ? maxSell : 1n);
      const quote = stableswapMath.quoteExactIn(state, { sell, buy }, amount, head.timestamp);
      if (isRejection(quote)) {
        seen.refused++;
        return;
      }
      const look = (i: number): Call => ({ to: pool.address, data: stableswapCall("balances", [BigInt(i)]) });
      const [paid, ...after] = await anvil.reader.calls(
        [
          {
            to: pool.address,
            data: stableswapCall("exchange", [sell, buy, amount, 0n]),
          },
          ...balances.map((_, i) => look(i)),
        ],
        head,
      );
      const theirs = [paid, ...after].map((word) => word && BigInt(word));
      tried.same([quote.amount, ...quote.next.balances], theirs);
      seen.exchanges++;
      if (quote.amount * 10n > (balances[buy] as bigint) * 9n) seen.extreme++;
    };
    await Promise.all(Array.from({ length: EXCHANGES_PER_STATE }, exchange));
  }
  expect(seen.exchanges).toBeGreaterThan(STATES * EXCHANGES_PER_STATE * 0.6);
  expect(seen.extreme).toBeGreaterThan(0);
});

test("an amplification on its way up and down is followed to the second", async () => {
  const pool = await deployStableswap(anvil, STABLESWAP_KINDS[0] as StableswapTerms);
  await allowPool(anvil, pool);
  const balances = [10n ** 24n, 3n * 10n ** 12n, 10n ** 11n];
  await setStableswap(anvil, pool, balances);
  let aNow = 200_000n;
  let compared = 0;
  for (const future of [400n, 4_000n]) {
    const { timestamp } = await anvil.head();
    const until = timestamp + 10_000n;
    await anvil.send(pool.address, stableswapCall("ramp_A", [future, until]));
    const { timestamp: from } = await anvil.mine();
    const state: StableswapState = {
      ...{ balances, rates: [10n ** 18n, 10n ** 30n, 10n ** 30n], initialA: aNow, futureA: future * 100n },
      ...{ initialATime: from, futureATime: until, aPrecision: 100n, fee: 1_000_000n, adminFee: 5n * 10n ** 9n },
      ...{ generation: "old", killed: false },
    };
    for (let step = 0; step < 6; step++) {
      await anvil.rpc("evm_increaseTime", [1_999]);
      const head = await anvil.mine();
      const quote = stableswapMath.quoteExactIn(state, { sell: 0, buy: 1 }, 10n ** 23n, head.timestamp);
      const [paid] = await anvil.reader.calls(
        [{ to: pool.address, data: stableswapCall("exchange", [0, 1, 10n ** 23n, 0n]) }],
        head,
      );
      expect(isRejection(quote) ? quote.rejected : quote.amount).toBe(BigInt(paid as Address));
      compared++;
    }
    aNow = future * 100n;
  }
  expect(compared).toBe(12);
});
