import { encodeFunctionData, erc20Abi, stringToHex } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Address, Hex } from "../../../src/domain/address.ts";
import { isRejection } from "../../../src/pools/pool-math.ts";
import { psmMath } from "../../../src/pools/psm/math.ts";
import type { PsmState } from "../../../src/pools/psm/state.ts";
import { rateTokenMath } from "../../../src/pools/rate-token/math.ts";
import type { RateTokenState } from "../../../src/pools/rate-token/state.ts";
import { rateToken } from "../../../src/venues/rate-token/source.ts";
import { countCases } from "../../support/suites/tried-cases.ts";
import { type Anvil, startAnvil } from "../../venues/worlds/anvil.ts";
import { setBalance } from "../../venues/worlds/traffic/minted-tokens.ts";
import { createRandom } from "../../venues/worlds/traffic/random.ts";
import {
  deployPsm,
  deployRateToken,
  deployShares,
  psmCall,
  rateTokenCall,
  setRateToken,
  shareCall,
} from "../../venues/worlds/wrappers.ts";

/** Our numbers against contracts with the interfaces of wstETH, stETH and DssLitePsm: what they pay and what they are left with. */

const LONG = process.env.TRIBUTARY_LONG === "1";
const STATES = LONG ? 1_600 : 25;
const TRADES_PER_STATE = 20;

let anvil: Anvil;
const SEED = 88;
const random = createRandom(SEED);

beforeAll(async () => {
  anvil = await startAnvil();
});
afterAll(() => anvil?.stop());

function balanceOf(token: Address, holder: Address) {
  return { to: token, data: encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [holder] }) };
}

test("wrapping and unwrapping pays what is said and leaves what is said", async () => {
  const contract = await deployRateToken(anvil, 18);
  const tried = countCases("rate-token", "wrap-and-unwrap", SEED);
  const seen = { trades: 0, wrapped: 0, refused: 0, all: 0 };
  for (let round = 0; round < STATES; round++) {
    const pooled = random.ofBits(90) + 1n;
    const shares = random.chance(0.3)
      ? random.ofBits(90) + (pooled >> 16n)
      : (pooled * BigInt(random.int(500, 999))) / 1000n + 1n;
    let state = { pooled, shares, supply: random.ofBits(90), held: random.ofBits(90) };
    await setRateToken(anvil, contract, state);
    await anvil.send(contract.token, rateTokenCall("report", [pooled, shares]));
    const head = await anvil.mine();
    const steps: {
      readonly sell: number;
      readonly amount: bigint;
      readonly answer: bigint;
      readonly left: bigint[];
    }[] = [];
    for (let count = 0; count < TRADES_PER_STATE; count++) {
      const sell = random.int(0, 1);
      const { maxSell } = rateTokenMath.limits(state, { sell, buy: 1 - sell }, 0n);
      const most = sell === 0 && maxSell > 1n << 96n ? 1n << 96n : maxSell;
      const amount = sell === 1 && random.chance(0.1) ? maxSell : random.between(1n, most > 1n ? most : 1n);
      const quote = rateTokenMath.quoteExactIn(state, { sell, buy: 1 - sell }, amount, 0n);
      if (isRejection(quote)) {
        seen.refused++;
        continue;
      }
      if (sell === 1 && amount === maxSell) seen.all++;
      state = quote.next as typeof state;
      steps.push({ sell, amount, answer: quote.amount, left: [state.supply, state.held] });
    }
    const answers = await anvil.reader.calls(
      steps.flatMap(({ sell, amount }) => [
        { to: contract.token, data: rateTokenCall(sell === 0 ? "wrap" : "unwrap", [amount]) },
        { to: contract.token, data: rateTokenCall("totalSupply") },
        balanceOf(contract.underlying, contract.token),
      ]),
      head,
    );
    steps.forEach(({ sell, answer, left }, i) => {
      const real = answers.slice(3 * i, 3 * i + 3).map((word) => (word === undefined ? undefined : BigInt(word)));
      tried.same([answer, ...left], real);
      seen.trades++;
      if (sell === 0) seen.wrapped++;
    });
  }
  expect(seen.trades).toBeGreaterThan(STATES * TRADES_PER_STATE * 0.6);
  expect(seen.wrapped).toBeGreaterThan(seen.trades / 4);
  expect(seen.all).toBeGreaterThan(0);
});

test("shares are wrapped by the amount that is named, whatever a transfer of them moves", async () => {
  const { token, wrapper, taker } = await deployShares(anvil);
  const source = rateToken({
    ...{ protocol: "rate-token", source: "Shares", fromBlock: 0n },
    tokens: [{ token: wrapper, underlying: token, totals: token, keepsShares: true }],
  });
  const tried = countCases("rate-token", "wrap-of-shares", SEED);
  const seen = { short: 0, dust: 0, backed: 0 };
  for (let round = 0; round < STATES; round++) {
    await anvil.send(token, shareCall("fill", [random.ofBits(74), 0n]));
    const backed = random.chance(0.5) ? random.ofBits(76) : 0n;
    await anvil.send(token, shareCall("back", [backed]));
    if (backed > 0n) seen.backed++;
    const head = await anvil.mine();
    const [pool] = await source.sync(anvil.reader, source.fixed?.() ?? [], head);
    if (pool?.curve !== "rate-token") throw new Error("the wrapper cannot be read");
    let state: RateTokenState = pool.state;
    const steps = Array.from({ length: TRADES_PER_STATE }, () => {
      const amount = random.between(10n, 1n << BigInt(random.int(8, 66)));
      const quote = rateTokenMath.quoteExactIn(state, { sell: 0, buy: 1 }, amount, 0n);
      if (isRejection(quote)) throw new Error(quote.rejected);
      state = quote.next as RateTokenState;
      return { amount, answer: quote.amount, supply: state.supply };
    });
    // Units that lie with whoever wraps change nothing.
    const dust = random.chance(0.3) ? random.between(1n, 9n) : 0n;
    if (dust > 0n) seen.dust++;
    const answers = await anvil.reader.calls(
      [
        { to: token, data: shareCall("approve", [wrapper, 1n << 255n]) },
        { to: token, data: shareCall("transferFrom", [taker, anvil.multicall, dust]) },
        ...steps.flatMap(({ amount }) => [
          balanceOf(token, anvil.multicall),
          { to: token, data: shareCall("transferFrom", [taker, anvil.multicall, amount]) },
          balanceOf(token, anvil.multicall),
          { to: wrapper, data: rateTokenCall("wrap", [amount]) },
          { to: wrapper, data: rateTokenCall("totalSupply") },
        ]),
      ],
      head,
    );
    steps.forEach(({ amount, answer, supply }, i) => {
      const own = answers.slice(5 * i + 2, 5 * i + 7).map((word) => word && BigInt(word));
      const [before, , arrived, made, supplied] = own;
      tried.same([answer, supply], [made, supplied]);
      if ((arrived ?? 0n) - (before ?? 0n) < amount) seen.short++;
    });
  }
  expect(seen.short).toBeGreaterThan((STATES * TRADES_PER_STATE) / 4);
  expect(Math.min(seen.dust, seen.backed)).toBeGreaterThan(STATES / 10);
});

test.each([6, 8, 18])("a module with a gem of %i decimals pays what is said and takes no more", async (decimals) => {
  const contract = await deployPsm(anvil, decimals);
  const to18 = 10n ** BigInt(18 - decimals);
  const tried = countCases("psm", `gem-of-${decimals}-decimals`, SEED);
  const seen = { trades: 0, gemsBought: 0, refused: 0, all: 0, exactOut: 0 };
  const states = Math.ceil(STATES / 2);
  for (let round = 0; round < states; round++) {
    const fee = () => random.pick([0n, 1n, 10n ** 14n, random.ofBits(56), 10n ** 16n]);
    let state: PsmState & { tin: bigint; tout: bigint } = {
      ...{ dai: random.ofBits(100), gem: random.ofBits(100 - 3 * (18 - decimals)), tin: fee(), tout: fee(), to18 },
    };
    await setBalance(anvil, contract.dai, contract.psm, state.dai);
    await setBalance(anvil, contract.gem, contract.psm, state.gem);
    for (const what of ["tin", "tout"] as const)
      await anvil.send(contract.psm, psmCall("file", [stringToHex(what, { size: 32 }), state[what]]));
    const head = await anvil.mine();
    const steps: { readonly data: Hex; readonly answer: bigint; readonly left: readonly bigint[] }[] = [];
    for (let count = 0; count < TRADES_PER_STATE; count++) {
      const sell = random.int(0, 1);
      const direction = { sell, buy: 1 - sell };
      const exactOut = to18 === 1n && random.chance(0.5);
      const { maxSell, maxBuy } = psmMath.limits(state, direction, 0n);
      const most = exactOut ? maxBuy : maxSell;
      const amount = random.chance(0.1) ? most : random.between(1n, most > 1n ? most : 1n);
      const quote = psmMath[exactOut ? "quoteExactOut" : "quoteExactIn"](state, direction, amount, 0n);
      if (isRejection(quote)) {
        seen.refused++;
        continue;
      }
      if (amount === most) seen.all++;
      if (sell === 0) seen.gemsBought++;
      if (exactOut) seen.exactOut++;
      const [sold, bought] = exactOut ? [quote.amount, amount] : [amount, quote.amount];
      const { dai } = state;
      state = quote.next as typeof state;
      // A sale of stablecoins answers what it takes; one more gem would take more than is sold.
      const taken = state.dai - dai;
      if (sell === 0) expect(taken <= sold && taken + to18 + (to18 * state.tout) / 10n ** 18n + 1n > sold).toBe(true);
      const data = psmCall(sell === 1 ? "sellGem" : "buyGem", [anvil.multicall, sell === 1 ? sold : bought]);
      steps.push({ data, answer: sell === 1 ? bought : taken, left: [state.dai, state.gem] });
    }
    const answers = await anvil.reader.calls(
      steps.flatMap(({ data }) => [
        { to: contract.psm, data },
        balanceOf(contract.dai, contract.psm),
        balanceOf(contract.gem, contract.psm),
      ]),
      head,
    );
    steps.forEach(({ answer, left }, i) => {
      const real = answers.slice(3 * i, 3 * i + 3).map((word) => (word === undefined ? undefined : BigInt(word)));
      tried.same([answer, ...left], real);
      seen.trades++;
    });
  }
  expect(seen.trades).toBeGreaterThan(states * TRADES_PER_STATE * 0.5);
  expect(seen.gemsBought).toBeGreaterThan(seen.trades / 4);
  if (to18 === 1n) expect(seen.exactOut).toBeGreaterThan(seen.trades / 4);
  expect(seen.all).toBeGreaterThan(0);
});
