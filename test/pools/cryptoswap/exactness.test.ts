import type { Hex } from "viem";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { cryptoswapGas } from "../../../src/pools/cryptoswap/gas.ts";
import { cryptoswapMath } from "../../../src/pools/cryptoswap/math.ts";
import type { CryptoswapState } from "../../../src/pools/cryptoswap/state.ts";
import { isRejection } from "../../../src/pools/pool-math.ts";
import { countCases } from "../../support/suites/tried-cases.ts";
import { type Anvil, startAnvil } from "../../venues/worlds/anvil.ts";
import { cryptoswapCall, deployCryptoswap, setCryptoswap } from "../../venues/worlds/curve/cryptoswap.ts";
import { createRandom, type Random } from "../../venues/worlds/traffic/random.ts";

/** Our numbers against exchanges with a contract of the documented formulas, over pools in and out of balance. */

const LONG = process.env.TRIBUTARY_LONG === "1";
const STATES = LONG ? 750 : 18;
const EXCHANGES_PER_STATE = 12;
const ONE = 10n ** 18n;
const TRANSACTION_GAS = 21_000n;
/** Gas of an approval within a transaction that is all used up. */
const APPROVAL_GAS = 25_000n;

vi.setConfig({ testTimeout: LONG ? 3_600_000 : 300_000 });

let anvil: Anvil;

beforeAll(async () => {
  anvil = await startAnvil();
});
afterAll(() => anvil?.stop());

/** Terms of pools in use, and more extreme ones. */
function termsOf(random: Random, decimals: readonly number[]) {
  const tokens = decimals.length;
  const ann = tokens === 2 ? random.between(40_000n, 39_000_000n) : random.between(27_000n, 260_000_000n);
  const gamma = random.between(10n ** 11n, tokens === 2 ? 190n * 10n ** 15n : 4n * 10n ** 16n);
  const prices = decimals.slice(1).map(() => random.between(10n ** 13n, 10n ** 23n));
  const size = random.between(10n ** 19n, 10n ** 28n);
  const skew = random.pick([2n, 2n, 10n, 45n]);
  const balances = decimals.map((each, i) => {
    const scaled = random.between(size / skew, size);
    const price = i === 0 ? ONE : (prices[i - 1] as bigint);
    return (scaled * ONE) / (price * 10n ** BigInt(18 - each)) + 1n;
  });
  const midFee = random.between(1_000n, 30_000_000n);
  const fees = [midFee, midFee + random.between(1n, 400_000_000n), random.between(10n ** 11n, 10n ** 17n)] as const;
  return { ann, gamma, prices, balances, fees };
}

test.each([[[18, 18]], [[6, 18]], [[6, 8, 18]], [[18, 18, 18]]])(
  "an exchange between tokens of %j decimals pays what is said and leaves what is said",
  async (decimals) => {
    const seed = decimals.length * 100 + (decimals[0] as number);
    const random = createRandom(seed);
    const tried = countCases("curve-cryptoswap", `decimals-${decimals.join("-")}`, seed);
    const pool = await deployCryptoswap(anvil, decimals);
    const seen = { exchanges: 0, extreme: 0, losses: 0, refused: 0, ofLimit: 0 };
    for (let round = 0; round < STATES; round++) {
      const terms = termsOf(random, decimals);
      await setCryptoswap(anvil, pool, terms);
      const head = await anvil.mine();
      const [d, supply] = await anvil.reader.calls(
        [
          { to: pool.address, data: cryptoswapCall("D") },
          { to: pool.address, data: cryptoswapCall("totalSupply") },
        ],
        head,
      );
      const [midFee, outFee, feeGamma] = terms.fees;
      const state: CryptoswapState = {
        ...{ balances: terms.balances, priceScale: terms.prices, midFee, outFee, feeGamma, virtualPrice: ONE },
        precisions: decimals.map((each) => 10n ** BigInt(18 - each)),
        ...{ initialA: terms.ann, futureA: terms.ann, initialGamma: terms.gamma, futureGamma: terms.gamma },
        ...{ initialTime: 0n, futureTime: 0n, d: BigInt(d ?? 0), supply: BigInt(supply ?? 0) },
      };
      // Each in a call of its own, from the same state, all at once.
      const exchange = async () => {
        const sell = random.int(0, decimals.length - 1);
        const buy = (sell + random.int(1, decimals.length - 1)) % decimals.length;
        const { maxSell } = cryptoswapMath.limits(state, { sell, buy }, head.timestamp);
        const isLimit = random.chance(0.1);
        const amount = isLimit ? maxSell : random.between(1n, maxSell > 1n ? maxSell : 1n);
        const quote = cryptoswapMath.quoteExactIn(state, { sell, buy }, amount, head.timestamp);
        if (isRejection(quote) && quote.rejected !== "TOO_SMALL") {
          seen.refused++;
          return;
        }
        const [paid, ...after] = await anvil.reader.calls(
          [
            { to: pool.address, data: cryptoswapCall("exchange", [sell, buy, amount, 0n]) },
            ...decimals.map((_, i) => ({ to: pool.address, data: cryptoswapCall("balances", [BigInt(i)]) })),
          ],
          head,
        );
        if (isRejection(quote)) {
          tried.same(0n, BigInt(paid ?? 0));
          seen.losses++;
          return;
        }
        const where = JSON.stringify({ terms, sell, buy, amount }, (_, value) =>
          typeof value === "bigint" ? `${value}` : value,
        );
        const theirs = [paid, ...after].map((word) => word && BigInt(word));
        tried.same([quote.amount, ...quote.next.balances], theirs, where);
        seen.exchanges++;
        if (isLimit) seen.ofLimit++;
        if (quote.amount * 10n > (terms.balances[buy] as bigint) * 8n) seen.extreme++;
      };
      await Promise.all(Array.from({ length: EXCHANGES_PER_STATE }, exchange));
    }
    expect(seen.exchanges).toBeGreaterThan(STATES * EXCHANGES_PER_STATE * 0.5);
    expect(seen.extreme).toBeGreaterThan(0);
    expect(seen.losses).toBeGreaterThan(0);
  },
);

test("an exchange and its approval cost the model's gas", async () => {
  const random = createRandom(78);
  for (const decimals of [
    [6, 18],
    [6, 8, 18],
  ]) {
    const pool = await deployCryptoswap(anvil, decimals);
    const price = 2_000n * ONE;
    const balances = decimals.map((each, i) => (i === 0 ? 4_000_000n : 2_000n) * 10n ** BigInt(each));
    const terms = { ...termsOf(random, decimals), balances, prices: decimals.slice(1).map(() => price) };
    await setCryptoswap(anvil, pool, {
      ...terms,
      ann: decimals.length === 2 ? 400_000n : 1_707_629n,
      gamma: 10n ** 14n,
    });
    await anvil.mine();
    let used = 0n;
    for (const [sell, buy] of [
      [0, 1],
      [1, 0],
    ] as const) {
      const amount = (balances[sell] as bigint) / 60n;
      const hash = await anvil.send(pool.address, cryptoswapCall("exchange", [sell, buy, amount, 0n]));
      await anvil.mine();
      const receipt = await anvil.rpc<{ gasUsed: Hex; status: Hex }>("eth_getTransactionReceipt", [hash]);
      expect(receipt.status).toBe("0x1");
      used = BigInt(receipt.gasUsed) - TRANSACTION_GAS + APPROVAL_GAS;
    }
    expect(Math.abs(Number(cryptoswapGas(decimals.length, undefined)) / Number(used) - 1), `used ${used}`).toBeLessThan(
      0.15,
    );
  }
});

test("amplification and gamma on their way are followed to the second, and so is the invariant", async () => {
  const random = createRandom(77);
  let compared = 0;
  for (const decimals of [
    [18, 6],
    [6, 8, 18],
  ]) {
    const pool = await deployCryptoswap(anvil, decimals);
    const terms = termsOf(random, decimals);
    await setCryptoswap(anvil, pool, terms);
    const { timestamp } = await anvil.mine();
    const [futureA, futureGamma] = [terms.ann * 2n, terms.gamma / 2n];
    const until = timestamp + 10_000n;
    await anvil.send(pool.address, cryptoswapCall("ramp_A_gamma", [futureA, futureGamma, until]));
    const { timestamp: from } = await anvil.mine();
    for (let step = 0; step < 7; step++) {
      const head = await anvil.mine();
      const figures = await anvil.reader.calls(
        ["D", "totalSupply", "virtual_price"].map((name) => ({ to: pool.address, data: cryptoswapCall(name) })),
        head,
      );
      const [d, supply, virtualPrice] = figures.map((word) => BigInt(word ?? 0)) as [bigint, bigint, bigint];
      const [midFee, outFee, feeGamma] = terms.fees;
      const state: CryptoswapState = {
        ...{ balances: terms.balances, priceScale: terms.prices, midFee, outFee, feeGamma, virtualPrice, d, supply },
        precisions: decimals.map((each) => 10n ** BigInt(18 - each)),
        ...{ initialA: terms.ann, initialGamma: terms.gamma, futureA, futureGamma },
        ...{ initialTime: from, futureTime: until },
      };
      const amount = (terms.balances[0] as bigint) / 10n;
      const quote = cryptoswapMath.quoteExactIn(state, { sell: 0, buy: 1 }, amount, head.timestamp);
      const exchange = { to: pool.address, data: cryptoswapCall("exchange", [0, 1, amount, 0n]) };
      const [paid] = await anvil.reader.calls([exchange], head);
      expect(isRejection(quote) ? quote.rejected : quote.amount).toBe(BigInt(paid ?? 0));
      compared++;
      await anvil.rpc("evm_increaseTime", [1_777]);
    }
  }
  expect(compared).toBe(14);
});
