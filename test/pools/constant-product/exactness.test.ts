import { decodeFunctionResult, encodeFunctionData, type Hex, numberToHex, pad } from "viem";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Address } from "../../../src/domain/address.ts";
import type { Call } from "../../../src/market/chain-reader.ts";
import { constantProductMath } from "../../../src/pools/constant-product/math.ts";
import type { ConstantProductState } from "../../../src/pools/constant-product/state.ts";
import { isRejection } from "../../../src/pools/pool-math.ts";
import { countCases } from "../../support/suites/tried-cases.ts";
import { type Anvil, startAnvil } from "../../venues/worlds/anvil.ts";
import { createRandom, type Random } from "../../venues/worlds/traffic/random.ts";
import { deployV2, pairAbi, routerAbi, transfer, type V2World, wethAbi } from "../../venues/worlds/v2.ts";
import { balanceSlot, deployTokens } from "../../venues/worlds/v3.ts";

/** Our numbers against the real router's views and the real pairs' own check of k, over reserves of every size. */

const SCALE = process.env.TRIBUTARY_LONG === "1" ? 20 : 1;
const STATES = 60 * SCALE;
const QUOTES_PER_STATE = 40;
const PROBES = 120 * SCALE;
/** Storage slot in which UniswapV2Pair packs both reserves and the time of their change. */
const RESERVES_SLOT = numberToHex(8, { size: 32 });
const GET_RESERVES = encodeFunctionData({ abi: pairAbi, functionName: "getReserves" });

vi.setConfig({ testTimeout: process.env.TRIBUTARY_LONG === "1" ? 3_600_000 : 180_000 });

let anvil: Anvil;
let uniswap: V2World;
let pancake: V2World;

beforeAll(async () => {
  anvil = await startAnvil();
  uniswap = await deployV2(anvil, "uniswap");
  pancake = await deployV2(anvil, "pancake");
});
afterAll(() => anvil?.stop());

test("the router's getAmountsOut and getAmountsIn give the same", async () => {
  const random = createRandom(2_112);
  const tokens = await deployTokens(anvil, []);
  const pair = await uniswap.createPair(tokens);
  const tried = countCases("uniswap-v2", "views-of-the-router", 2_112);
  const seen = { quotes: 0, exactOut: 0, rejected: 0, extreme: 0 };

  for (let round = 0; round < STATES; round++) {
    const reserves = await setReserves(pair, random);
    const state: ConstantProductState = { reserves, feeNum: 3n, feeDen: 1000n };
    if (reserves.some((reserve) => reserve < 1000n || reserve > 1n << 108n)) seen.extreme += QUOTES_PER_STATE;
    const quotes = Array.from({ length: QUOTES_PER_STATE }, () => {
      const direction = random.chance(0.5) ? { sell: 0, buy: 1 } : { sell: 1, buy: 0 };
      const { maxSell, maxBuy } = constantProductMath.limits(state, direction, 0n);
      // The router divides by zero where the whole reserve is asked for, and burns all gas of the batch.
      const exactIn = maxBuy === 0n || random.chance(0.5);
      const most = exactIn ? maxSell : maxBuy;
      return { exactIn, direction, amount: random.between(1n, most > 1n ? most : 1n) };
    });
    const answers = await anvil.reader.calls(
      quotes.map(({ exactIn, direction, amount }) => {
        const path = [tokens[direction.sell], tokens[direction.buy]];
        const functionName = exactIn ? "getAmountsOut" : "getAmountsIn";
        return { to: uniswap.router, data: encodeFunctionData({ abi: routerAbi, functionName, args: [amount, path] }) };
      }),
      await anvil.head(),
    );
    for (const [index, { exactIn, direction, amount }] of quotes.entries()) {
      const ours = exactIn
        ? constantProductMath.quoteExactIn(state, direction, amount, 0n)
        : constantProductMath.quoteExactOut(state, direction, amount, 0n);
      const theirs = decodeAmounts(exactIn, answers[index]);
      seen.quotes++;
      if (!exactIn) seen.exactOut++;
      if (isRejection(ours)) {
        seen.rejected++;
        // The router quotes 0, or fails.
        tried.same(0n, theirs ?? 0n);
      } else {
        tried.same(ours.amount, theirs);
      }
    }
  }
  expect(seen.quotes).toBe(STATES * QUOTES_PER_STATE);
  expect(seen.exactOut).toBeGreaterThan(seen.quotes * 0.4);
  expect(seen.extreme).toBeGreaterThan(seen.quotes * 0.1);
  expect(seen.rejected).toBeLessThan(seen.quotes * 0.4);
});

test.each([
  { kind: "uniswap", feeNum: 3n, feeDen: 1000n },
  { kind: "pancake", feeNum: 2n, feeDen: 1000n },
] as const)("a $kind pair pays exactly what is quoted, and not a wei more", async ({ kind, feeNum, feeDen }) => {
  const random = createRandom(77);
  const tokens = await deployTokens(anvil, []);
  const pair = await (kind === "uniswap" ? uniswap : pancake).createPair(tokens);
  const tried = countCases("uniswap-v2", `swaps-of-${kind}`, 77);
  let traded = 0;

  for (let probe = 0; probe < PROBES; probe++) {
    const reserves = await setReserves(pair, random);
    for (const [index, token] of tokens.entries()) {
      await setBalance(token, pair, reserves[index] as bigint);
      await setBalance(token, anvil.multicall, 1n << 200n);
    }
    const state: ConstantProductState = { reserves, feeNum, feeDen };
    const direction = random.chance(0.5) ? { sell: 0, buy: 1 } : { sell: 1, buy: 0 };
    const exactIn = random.chance(0.5);
    const { maxSell, maxBuy } = constantProductMath.limits(state, direction, 0n);
    const most = exactIn ? maxSell : maxBuy;
    const amount = random.chance(0.1) ? most : random.between(1n, most > 1n ? most : 1n);
    const quote = exactIn
      ? constantProductMath.quoteExactIn(state, direction, amount, 0n)
      : constantProductMath.quoteExactOut(state, direction, amount, 0n);
    if (isRejection(quote)) continue;
    traded++;
    const sellAmount = exactIn ? amount : quote.amount;
    const buyAmount = exactIn ? quote.amount : amount;
    const sold = tokens[direction.sell] as Address;
    const pay = (wei: bigint): Call => ({
      to: sold,
      data: encodeFunctionData({ abi: wethAbi, functionName: "transfer", args: [pair, wei] }),
    });
    const take = (wei: bigint): Call => {
      const out = direction.buy === 0 ? [wei, 0n] : [0n, wei];
      const args = [...out, anvil.account, "0x"];
      return { to: pair, data: encodeFunctionData({ abi: pairAbi, functionName: "swap", args }) };
    };
    const look: Call = { to: pair, data: GET_RESERVES };
    if (exactIn) {
      const [, , before, , after] = await anvil.reader.calls(
        [pay(sellAmount), take(buyAmount + 1n), look, take(buyAmount), look],
        await anvil.head(),
      );
      expect(decodeReserves(before)).toEqual(reserves);
      tried.same(quote.next.reserves, decodeReserves(after));
    } else {
      const [, , after] = await anvil.reader.calls([pay(sellAmount), take(buyAmount), look], await anvil.head());
      tried.same(quote.next.reserves, decodeReserves(after));
      if (sellAmount <= 2n) continue;
      const [, , short] = await anvil.reader.calls([pay(sellAmount - 2n), take(buyAmount), look], await anvil.head());
      expect(decodeReserves(short)).toEqual(reserves);
    }
  }
  expect(traded).toBeGreaterThan(PROBES / 2);
});

test("a pair refuses what would lift its reserve above uint112, as we do", async () => {
  const tokens = await deployTokens(anvil, []);
  const pair = await uniswap.createPair(tokens);
  const room = 1_000n;
  const reserves = [(1n << 112n) - 1n - room, 1n << 111n] as const;
  await storeReserves(pair, reserves);
  for (const [index, token] of tokens.entries()) await setBalance(token, pair, reserves[index] as bigint);
  const state: ConstantProductState = { reserves, feeNum: 3n, feeDen: 1000n };
  const swapAfter = async (paid: bigint) => {
    await transfer(anvil, tokens[0], pair, paid);
    const args = [0n, 1n, anvil.account, "0x"];
    await anvil.send(pair, encodeFunctionData({ abi: pairAbi, functionName: "swap", args }));
    await anvil.mine();
    return anvil.read<readonly bigint[]>(pair, pairAbi, "getReserves");
  };
  expect(constantProductMath.quoteExactIn(state, { sell: 0, buy: 1 }, room + 1n, 0n)).toEqual({
    ...{ rejected: "TOO_LARGE", most: room },
  });
  expect((await swapAfter(room + 1n))[0]).toBe(reserves[0]);
});

async function setReserves(pair: Address, random: Random): Promise<readonly [bigint, bigint]> {
  const reserves = [random.ofBits(112), random.ofBits(112)] as const;
  await storeReserves(pair, reserves);
  return reserves;
}

async function storeReserves(pair: Address, [first, second]: readonly [bigint, bigint]): Promise<void> {
  const word = numberToHex((1n << 224n) | (second << 112n) | first, { size: 32 });
  await anvil.rpc("anvil_setStorageAt", [pair, RESERVES_SLOT, word]);
}

function setBalance(token: Address, holder: Address, amount: bigint): Promise<unknown> {
  return anvil.rpc("anvil_setStorageAt", [token, balanceSlot(holder), pad(numberToHex(amount))]);
}

function decodeAmounts(exactIn: boolean, data: Hex | undefined): bigint | undefined {
  if (data === undefined) return undefined;
  const functionName = exactIn ? "getAmountsOut" : "getAmountsIn";
  const amounts = decodeFunctionResult({ abi: routerAbi, functionName, data }) as readonly bigint[];
  return amounts[exactIn ? 1 : 0];
}

function decodeReserves(data: Hex | undefined): readonly bigint[] {
  if (data === undefined) throw new Error("no reserves");
  return (decodeFunctionResult({ abi: pairAbi, functionName: "getReserves", data }) as readonly bigint[]).slice(0, 2);
}
