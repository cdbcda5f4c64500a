import { encodeFunctionData, erc20Abi, keccak256, numberToHex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Address, type Hex, toAddress } from "../../../src/domain/address.ts";
import type { MakerOrder } from "../../../src/domain/maker-order.ts";
import type { Call } from "../../../src/market/chain-reader.ts";
import { levelsMath } from "../../../src/pools/levels/math.ts";
import type { Level } from "../../../src/pools/levels/state.ts";
import { isRejection } from "../../../src/pools/pool-math.ts";
import { signedOrderMath } from "../../../src/pools/signed-order/math.ts";
import { orderSettlementArtifact } from "../../../src/settlement/artifacts.ts";
import { makerOrderDigest } from "../../../src/settlement/maker-order-digest.ts";
import { type CaseCounter, countCases } from "../../support/suites/tried-cases.ts";
import { type Anvil, startAnvil } from "../../venues/worlds/anvil.ts";
import { allow, mintedToken, setBalance, transferData } from "../../venues/worlds/traffic/minted-tokens.ts";
import { createRandom, type Random } from "../../venues/worlds/traffic/random.ts";

/** Our numbers against what OrderSettlement lets a maker's signed orders be filled for, and not for a base unit better. */

const LONG = process.env.TRIBUTARY_LONG === "1";
const CASES = LONG ? 22_000 : 300;
const CASES_PER_CALL = 50;
const SALE = { sell: 0, buy: 1 };
const CHAIN_ID = 31_337;
const FAR = 4_000_000_000n;

const key = privateKeyToAccount(`0x${"31".repeat(32)}`);
const maker = toAddress(key.address);

let anvil: Anvil;
let orders: Address;
let takerToken: Address;
let makerToken: Address;
let nonce = 0n;

beforeAll(async () => {
  anvil = await startAnvil();
  orders = await anvil.deploy(orderSettlementArtifact.abi, orderSettlementArtifact.bytecode);
  takerToken = await mintedToken(anvil, 18);
  makerToken = await mintedToken(anvil, 6);
  await setBalance(anvil, makerToken, maker, 1n << 200n);
  await allow(anvil, makerToken, maker, orders);
  await anvil.mine();
});
afterAll(() => anvil?.stop());

function orderOf(level: Level, minTakerAmount: bigint): MakerOrder {
  return {
    ...{ maker, taker: anvil.multicall, trader: anvil.account, makerToken, takerToken, ...level, minTakerAmount },
    ...{ expiry: FAR, nonce: nonce++, refillable: false },
  };
}

/** An account that has nothing yet: what it has later is what it was paid. */
const recipientOf = (order: MakerOrder) => toAddress(`0x${keccak256(numberToHex(order.nonce)).slice(26)}`);

const balanceOf = (token: Address, holder: Address): Call => {
  return { to: token, data: encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [holder] }) };
};

interface Signed {
  readonly order: MakerOrder;
  readonly signature: Hex;
}

/** One fill that the multicall asks for, having brought what it is to sell. */
interface Attempt extends Signed {
  readonly sold: bigint;
  readonly paid: bigint;
}

/** Attempts one after another, and what should have moved after all of them. */
interface Case {
  readonly attempts: readonly Attempt[];
  readonly sold: bigint;
  readonly paid: bigint;
}

async function signedOrder(level: Level, minTakerAmount = 0n): Promise<Signed> {
  const order = orderOf(level, minTakerAmount);
  return { order, signature: await key.sign({ hash: makerOrderDigest(order, CHAIN_ID, orders) }) };
}

/** Runs cases together: what each paid to an account that had nothing, and what its maker had got for it by then. */
async function compare(tried: CaseCounter, cases: readonly Case[]): Promise<void> {
  const calls = cases.flatMap(({ attempts }): readonly Call[] => {
    const recipient = recipientOf(attempts[0]!.order);
    const fills = attempts.flatMap(({ order, signature, sold, paid }): readonly Call[] => {
      const args = [order, signature, sold, paid, recipient];
      return [
        { to: takerToken, data: transferData(orders, sold) },
        { to: orders, data: encodeFunctionData({ abi: orderSettlementArtifact.abi, functionName: "fill", args }) },
      ];
    });
    return [...fills, balanceOf(makerToken, recipient), balanceOf(takerToken, maker)];
  });
  const answers = await anvil.reader.calls(calls, await anvil.head());
  let [end, sold] = [0, 0n];
  for (const each of cases) {
    end += 2 * each.attempts.length + 2;
    sold += each.sold;
    const where = JSON.stringify(each.attempts, (_, value) => (typeof value === "bigint" ? `${value}` : value));
    const [paid, got] = answers.slice(end - 2, end).map((word) => word && BigInt(word));
    tried.same([each.paid, sold], [paid, got], where);
  }
}

const randomLevel = (random: Random): Level => ({ takerAmount: random.ofBits(120), makerAmount: random.ofBits(120) });

/** Fills that sell `sold` for `paid`, after better ones: one unit more paid, or one unit less sold if `exactOut`. */
function tight(signed: Signed, sold: bigint, paid: bigint, exactOut: boolean): readonly Attempt[] {
  const better = exactOut ? { sold: sold - 1n, paid } : { sold, paid: paid + 1n };
  return [
    { ...signed, ...better },
    { ...signed, sold, paid },
  ];
}

test("a firm order is filled for exactly what is quoted, in and out, and for nothing better", async () => {
  const random = createRandom(301);
  const tried = countCases("rfq", "firm-orders", 301);
  const seen = { in: 0, out: 0, refused: 0, all: 0 };
  for (let start = 0; start < CASES; start += CASES_PER_CALL) {
    const cases: Case[] = [];
    while (cases.length < CASES_PER_CALL) {
      const level = randomLevel(random);
      const signed = await signedOrder(level, random.chance(0.2) ? random.between(1n, level.takerAmount) : 0n);
      const spot = { num: level.makerAmount, den: level.takerAmount };
      const state = { ...signed, settlement: orders, spot, filled: false };
      const exactOut = random.chance(0.5);
      const most = exactOut ? level.makerAmount : level.takerAmount;
      const isAll = random.chance(0.1);
      const amount = isAll ? most : random.between(1n, random.chance(0.1) ? most * 2n : most);
      const quote = signedOrderMath[exactOut ? "quoteExactOut" : "quoteExactIn"](state, SALE, amount, 0n);
      if (isRejection(quote)) {
        // Nothing is to be had for what is offered, or not so much for all that the order takes.
        const due = (amount * level.takerAmount + level.makerAmount - 1n) / level.makerAmount;
        const sold = due < level.takerAmount ? due : level.takerAmount;
        const attempt = exactOut ? { sold, paid: amount } : { sold: amount, paid: 1n };
        cases.push({ attempts: [{ ...signed, ...attempt }], sold: 0n, paid: 0n });
        seen.refused++;
        continue;
      }
      const [sold, paid] = exactOut ? [quote.amount, amount] : [amount, quote.amount];
      cases.push({ attempts: tight(signed, sold, paid, exactOut), sold, paid });
      seen[exactOut ? "out" : "in"]++;
      if (isAll) seen.all++;
    }
    await compare(tried, cases);
  }
  expect(Math.min(seen.in, seen.out)).toBeGreaterThan(CASES / 4);
  expect(Math.min(seen.refused, seen.all)).toBeGreaterThan(CASES / 20);
});

test("levels pay and cost what their orders do, one after another, the last one in part", async () => {
  const random = createRandom(302);
  const tried = countCases("maker", "levels-as-orders", 302);
  const seen = { in: 0, out: 0, several: 0, refused: 0 };
  for (let start = 0; start < CASES; start += CASES_PER_CALL) {
    const cases: Case[] = [];
    while (cases.length < CASES_PER_CALL) {
      const bids = Array.from({ length: random.int(1, 5) }, () => randomLevel(random));
      const exactOut = random.chance(0.5);
      const side = exactOut ? "makerAmount" : "takerAmount";
      const most = bids.reduce((sum, level) => sum + level[side], 0n);
      const amount = random.chance(0.1) ? most : random.between(1n, most);
      const quote = levelsMath[exactOut ? "quoteExactOut" : "quoteExactIn"]({ bids, asks: [] }, SALE, amount, 0n);
      if (isRejection(quote)) {
        const first = await signedOrder(bids[0]!);
        cases.push({ attempts: [{ ...first, sold: amount, paid: 1n }], sold: 0n, paid: 0n });
        seen.refused++;
        continue;
      }
      const [sold, paid] = exactOut ? [quote.amount, amount] : [amount, quote.amount];
      const attempts: Attempt[] = [];
      let [leftToSell, leftToPay] = [sold, paid];
      for (const level of bids) {
        if (exactOut ? leftToPay === 0n : leftToSell === 0n) break;
        const signed = await signedOrder(level);
        const isWhole = exactOut ? level.makerAmount <= leftToPay : level.takerAmount <= leftToSell;
        if (isWhole) attempts.push({ ...signed, sold: level.takerAmount, paid: level.makerAmount });
        else attempts.push(...tight(signed, leftToSell, leftToPay, exactOut));
        leftToSell -= isWhole ? level.takerAmount : leftToSell;
        leftToPay -= isWhole ? level.makerAmount : leftToPay;
      }
      cases.push({ attempts, sold, paid });
      seen[exactOut ? "out" : "in"]++;
      if (attempts.length > 2) seen.several++;
    }
    await compare(tried, cases);
  }
  expect(Math.min(seen.in, seen.out, seen.several)).toBeGreaterThan(CASES / 4);
});
