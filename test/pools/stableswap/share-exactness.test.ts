import { encodeFunctionData, erc20Abi } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Call } from "../../../src/market/chain-reader.ts";
import { isRejection } from "../../../src/pools/pool-math.ts";
import { stableswapMath } from "../../../src/pools/stableswap/math.ts";
import { virtualPriceOf } from "../../../src/pools/stableswap/share.ts";
import type { StableswapState } from "../../../src/pools/stableswap/state.ts";
import { countCases } from "../../support/suites/tried-cases.ts";
import { type Anvil, startAnvil } from "../../venues/worlds/anvil.ts";
import {
  addOneCall,
  allowPool,
  deployStableswap,
  STABLESWAP_KINDS,
  type StableswapPool,
  type StableswapTerms,
  setShares,
  setStableswap,
  stableswapCall,
} from "../../venues/worlds/curve/stableswap.ts";
import { createRandom, type Random } from "../../venues/worlds/traffic/random.ts";

/** Our numbers against one coin added and removed, and exchanges among them, in a contract of the documented formulas. */

const LONG = process.env.TRIBUTARY_LONG === "1";
const SEED = 4_601;
const STATES = LONG ? 620 : 8;
const CHAINS_PER_STATE = 4;
const TRADES_PER_CHAIN = 3;

let anvil: Anvil;

beforeAll(async () => {
  anvil = await startAnvil();
});
afterAll(() => anvil?.stop());

/** A pool as it may stand somewhere, written into the contract too. */
async function shaken(pool: StableswapPool, terms: StableswapTerms, random: Random): Promise<StableswapState> {
  const size = random.between(10n ** 16n, 10n ** 28n);
  const rates = terms.decimals.map((each) => 10n ** BigInt(36 - each));
  if (terms.ng && random.chance(0.5))
    rates[0] = ((rates[0] as bigint) * BigInt(random.int(900_000, 2_000_000))) / 10n ** 6n;
  const balances = rates.map((rate) => (random.between(size / 30n, size * 30n) * 10n ** 18n) / rate + 1n);
  const worth = balances.reduce((sum, balance, i) => sum + balance * (rates[i] as bigint), 0n) / 10n ** 18n;
  const totalSupply = (worth * BigInt(random.int(300, 1_100))) / 1_000n;
  await setStableswap(anvil, pool, balances);
  await setShares(anvil, pool, totalSupply);
  await anvil.send(pool.address, stableswapCall("set_rate", [0n, rates[0]]));
  return {
    ...{ balances, rates, initialA: terms.a * 100n, futureA: terms.a * 100n, initialATime: 0n, futureATime: 0n },
    ...{ aPrecision: 100n, fee: terms.fee, adminFee: 5n * 10n ** 9n, killed: false, totalSupply },
    ...(terms.ng ? { generation: "ng", offpegFeeMultiplier: terms.multiplier } : { generation: "old" }),
  };
}

/** The call that trades so, and those that tell what it left. */
function callsFor(pool: StableswapPool, sell: number, buy: number, amount: bigint): readonly Call[] {
  const count = pool.tokens.length;
  const data =
    buy === count
      ? addOneCall(pool, sell, amount)
      : sell === count
        ? stableswapCall("remove_liquidity_one_coin", [amount, buy, 0n])
        : stableswapCall("exchange", [sell, buy, amount, 0n]);
  return [heldBy(pool, buy), { to: pool.address, data }, heldBy(pool, buy), ...figuresOf(pool)];
}

function heldBy(pool: StableswapPool, token: number): Call {
  const args = [anvil.multicall] as const;
  return {
    to: pool.tokens[token] ?? pool.share,
    data: encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args }),
  };
}

function figuresOf(pool: StableswapPool): readonly Call[] {
  return [
    ...pool.tokens.map((_, i) => ({ to: pool.address, data: stableswapCall("balances", [BigInt(i)]) })),
    { to: pool.share, data: encodeFunctionData({ abi: erc20Abi, functionName: "totalSupply" }) },
    { to: pool.address, data: stableswapCall("get_virtual_price", []) },
  ];
}

test.each(STABLESWAP_KINDS)("shares and coins are paid as said, and leave what is said: %o", async (terms) => {
  const kind = `shares of ${terms.ng ? "NG" : "old"} ${terms.decimals.join("-")}`;
  const random = createRandom(SEED + Number(terms.a));
  const tried = countCases("curve-stableswap", kind.replaceAll(" ", "-").toLowerCase(), SEED + Number(terms.a));
  const pool = await deployStableswap(anvil, terms);
  await allowPool(anvil, pool);
  const count = pool.tokens.length;
  const seen = { bought: 0, sold: 0, exchanged: 0, refused: 0, extreme: 0 };
  for (let round = 0; round < STATES; round++) {
    const start = await shaken(pool, terms, random);
    const head = await anvil.mine();
    const time = head.timestamp;
    for (let chain = 0; chain < CHAINS_PER_STATE; chain++) {
      let state = start;
      const calls: Call[] = [];
      const expected: (readonly bigint[])[] = [];
      for (let trade = 0; trade < TRADES_PER_CHAIN; trade++) {
        const sell = random.int(0, count);
        const buy = (sell + random.int(1, count)) % (count + 1);
        const { maxSell } = stableswapMath.limits(state, { sell, buy }, time);
        const amount = random.chance(0.1) ? maxSell : random.between(1n, maxSell > 1n ? maxSell : 1n);
        const quote = stableswapMath.quoteExactIn(state, { sell, buy }, amount, time);
        if (isRejection(quote)) {
          seen.refused++;
          continue;
        }
        calls.push(...callsFor(pool, sell, buy, amount));
        state = quote.next;
        const price = virtualPriceOf(state, time) ?? -1n;
        expected.push([quote.amount, ...state.balances, state.totalSupply as bigint, price]);
        seen[buy === count ? "bought" : sell === count ? "sold" : "exchanged"]++;
        if (amount === maxSell) seen.extreme++;
      }
      const answers = await anvil.reader.calls(calls, head);
      for (const [i, ours] of expected.entries()) {
        const own = answers.slice((i * calls.length) / expected.length, ((i + 1) * calls.length) / expected.length);
        const [before, , after, ...figures] = own.map((answer) => BigInt(answer ?? 0));
        // A pool that is left with too little of a coin is no longer counted on, nor its price told.
        const theirs = [(after as bigint) - (before as bigint), ...figures];
        if (ours[ours.length - 1] === -1n) theirs[theirs.length - 1] = -1n;
        tried.same(ours, theirs, `${kind}, state ${round}, chain ${chain}, trade ${i}`);
      }
    }
  }
  if (LONG) process.stdout.write(`${kind}: ${JSON.stringify(seen)}, differences 0\n`);
  const trades = STATES * CHAINS_PER_STATE * TRADES_PER_CHAIN;
  expect(seen.bought + seen.sold + seen.exchanged).toBeGreaterThan(trades * 0.6);
  expect(Math.min(seen.bought, seen.sold)).toBeGreaterThan(trades * 0.1);
  expect(seen.extreme).toBeGreaterThan(0);
});
