import { afterAll, beforeAll, expect, test } from "vitest";
import type { Hex } from "../../../src/domain/address.ts";
import type { BlockRef } from "../../../src/domain/block.ts";
import type { ChainReader } from "../../../src/market/chain-reader.ts";
import { mathOf, type Pool } from "../../../src/pools/pool.ts";
import { isRejection } from "../../../src/pools/pool-math.ts";
import { MAX_PAIRS } from "../../../src/venues/prop-amm/pairs.ts";
import { type PropAmmRecord, propAmmRecord } from "../../../src/venues/prop-amm/record.ts";
import { propAmm } from "../../../src/venues/prop-amm/source.ts";
import { sourceContract } from "../../market/liquidity-source.suite.ts";
import { countCases } from "../../support/suites/tried-cases.ts";
import { type Anvil, startAnvil } from "../worlds/anvil.ts";
import { deployPropAmm, MANNER, propAmmCall, type TestPropAmm } from "../worlds/prop-amm.ts";
import { setBalance, transferData } from "../worlds/traffic/minted-tokens.ts";
import { createRandom } from "../worlds/traffic/random.ts";

const LONG = process.env.TRIBUTARY_LONG === "1";
const BLOCKS = LONG ? 300 : 15;
const STATES = LONG ? 200 : 4;
const TRADES_PER_STATE = 80;
const SEED = 37_061;
const FOREVER = (1n << 256n) - 1n;

let anvil: Anvil;
let sent: TestPropAmm;
let drawn: TestPropAmm;

beforeAll(async () => {
  anvil = await startAnvil();
  [sent, drawn] = [await deployPropAmm(anvil, false), await deployPropAmm(anvil, true)];
});
afterAll(() => anvil?.stop());

function recordOf({ venue, tokens }: TestPropAmm, more: Partial<PropAmmRecord> = {}): PropAmmRecord {
  const terms = { protocol: "prop-amm", source: "Prop_AMM", fromBlock: 0n, payment: "sent" } as const;
  return { ...terms, venue, pairs: [[tokens[0], tokens[1]]], ...more };
}

/** A reader that counts the calls of each of its batches. */
function counting(): { readonly reader: ChainReader; readonly batches: number[] } {
  const batches: number[] = [];
  const calls: ChainReader["calls"] = (asked, at) => {
    batches.push(asked.length);
    return anvil.reader.calls(asked, at);
  };
  return { reader: { ...anvil.reader, calls }, batches };
}

test("a pair is what its contract quotes at every block: new prices, and switched off and on", async () => {
  const random = createRandom(61);
  const source = propAmm(recordOf(sent));
  const middle = await anvil.read<bigint>(sent.venue, sentAbi(), "middle");
  const act = async () => {
    await anvil.send(sent.venue, propAmmCall("post", [(middle * BigInt(random.int(990, 1_010))) / 1_000n, FOREVER]));
    return anvil.mine();
  };
  const start = await anvil.head();
  const { refs } = await sourceContract({
    ...{ source, reader: anvil.reader, start, blocks: BLOCKS, act },
    logsOf: anvil.logsOf,
  });
  expect(refs).toHaveLength(1);

  const told: string[] = [];
  await anvil.send(sent.venue, propAmmCall("set", [false, MANNER.honest]));
  const off = await anvil.mine();
  expect(await source.sync(anvil.reader, refs, off, (_, reason) => told.push(reason))).toEqual([]);
  expect(told).toEqual(["PAUSED"]);
  await anvil.send(sent.venue, propAmmCall("set", [true, MANNER.honest]));
  expect(await source.sync(anvil.reader, refs, await anvil.mine())).toHaveLength(1);
});

function sentAbi() {
  return [
    { type: "function", name: "middle", inputs: [], outputs: [{ type: "uint256" }], stateMutability: "view" },
  ] as const;
}

/** Calls of a swap by the multicall, to run in one batch with others. */
function swapCalls(
  { venue, tokens }: TestPropAmm,
  isSent: boolean,
  { sell, amount }: { sell: number; amount: bigint },
) {
  const [sold, bought] = [tokens[sell], tokens[1 - sell]];
  const swap = { to: venue, data: propAmmCall("swap", [sold, bought, amount, 1n, anvil.account, FOREVER]) };
  return isSent ? [{ to: sold!, data: transferData(venue, amount) }, swap] : [swap];
}

test("asked for an exact amount, a pool pays what the contract does, and its ladder never more", async () => {
  const random = createRandom(SEED);
  const tried = countCases("prop-amm", "exact-amounts", SEED);
  const seen = { tried: 0, better: 0 };
  for (const [contract, isSent] of [
    [sent, true],
    [drawn, false],
  ] as const) {
    const source = propAmm(recordOf(contract, { payment: isSent ? "sent" : "drawn" }));
    const refs = source.fixed?.() ?? [];
    const middle = await anvil.read<bigint>(contract.venue, sentAbi(), "middle");
    for (let round = 0; round < STATES; round++) {
      const posted = (middle * BigInt(random.int(700_000, 1_300_000))) / 1_000_000n;
      await anvil.send(contract.venue, propAmmCall("post", [posted, FOREVER]));
      const at = await anvil.mine();
      const [pool] = await source.sync(anvil.reader, refs, at);
      if (pool === undefined) throw new Error("the pair cannot be read");
      const trades = Array.from({ length: TRADES_PER_STATE }, () => {
        const sell = random.int(0, 1);
        const { maxSell } = mathOf(pool).limits(pool.state, { sell, buy: 1 - sell }, 0n);
        const amount = random.chance(0.5) ? random.between(1n, maxSell) : random.between(1n, maxSell >> 10n);
        return { sell, amount, direction: { sell, buy: 1 - sell } };
      });
      const questions = trades.map(({ direction, amount }) => source.ask?.(pool, direction, amount));
      const quotes = await anvil.reader.calls(
        questions.map((question) => question!.call),
        at,
      );
      const calls = trades.map((trade) => swapCalls(contract, isSent, trade));
      const swaps = await anvil.reader.calls(calls.flat(), at);
      const perTrade = isSent ? 2 : 1;
      for (const [index, { direction, amount }] of trades.entries()) {
        const told = questions[index]?.answered(quotes[index]);
        const paid = BigInt(swaps[(index + 1) * perTrade - 1] ?? "0x0");
        const [exact, ladder] = [told, pool].map((each) => paidBy(each, direction, amount));
        if (exact === undefined) {
          // Too little to pay anything.
          expect(paid).toBe(0n);
          continue;
        }
        tried.same(exact, paid, `${amount} of token ${direction.sell}`);
        // It rounds each level twice, and a chord once.
        expect(ladder ?? 0n).toBeLessThanOrEqual(paid + 1n);
        // Between two samples the ladder of a contract with steps is lower, by less than two steps.
        if (paid > 10n ** 7n) expect((ladder ?? 0n) * 1_000n).toBeGreaterThan(paid * 997n);
        seen.tried++;
        if ((ladder ?? 0n) < paid) seen.better++;
      }
    }
  }
  expect(seen.tried).toBeGreaterThan(STATES * TRADES_PER_STATE);
  expect(seen.better).toBeGreaterThan(0);
});

function paidBy(pool: Pool | undefined, direction: { sell: number; buy: number }, amount: bigint): bigint | undefined {
  const quote = pool && mathOf(pool).quoteExactIn(pool.state, direction, amount, 0n);
  return quote === undefined || isRejection(quote) ? undefined : quote.amount;
}

test("a contract that quotes nothing, or less than was read of it, answers for no pool", async () => {
  const source = propAmm(recordOf(sent));
  const [pool] = await source.sync(anvil.reader, source.fixed?.() ?? [], await anvil.head());
  if (pool === undefined) throw new Error("the pair cannot be read");
  const direction = { sell: 0, buy: 1 };
  const { maxSell } = mathOf(pool).limits(pool.state, direction, 0n);
  const promised = paidBy(pool, direction, maxSell / 3n) ?? 0n;
  const question = source.ask?.(pool, direction, maxSell / 3n);
  const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, "0")}`;
  expect(question?.answered(undefined)).toBeUndefined();
  expect(question?.answered("0x")).toBeUndefined();
  expect(question?.answered(word(promised - promised / 500n))).toBeUndefined();
  expect(question?.answered(word(FOREVER))).toBeUndefined();
  expect(paidBy(question?.answered(word(promised + 5n)), direction, maxSell / 3n)).toBe(promised + 5n);
});

test("a block takes one batch of calls of a bounded number, and no more is offered than its holder has", async () => {
  const { reader, batches } = counting();
  const source = propAmm(recordOf(sent, { holder: sent.venue }));
  const refs = source.fixed?.() ?? [];
  const before = await anvil.head();
  const [first] = await source.sync(reader, refs, before);
  if (first === undefined) throw new Error("the pair cannot be read");
  batches.length = 0;
  expect(await source.refresh?.(reader, [first], before)).toEqual([first]);
  expect(batches.filter((calls) => calls > 0)).toEqual([expect.any(Number)]);
  expect(batches[0]).toBeLessThan(32);

  const [, token] = sent.tokens;
  const { maxBuy } = mathOf(first).limits(first.state, { sell: 0, buy: 1 }, 0n);
  await setBalance(anvil, token, sent.venue, maxBuy / 5n);
  const [poorer] = await source.sync(anvil.reader, refs, await anvil.mine());
  if (poorer === undefined) throw new Error("the pair cannot be read");
  const left = mathOf(poorer).limits(poorer.state, { sell: 0, buy: 1 }, 0n).maxBuy;
  expect(left).toBeGreaterThan(0n);
  expect(left).toBeLessThanOrEqual(maxBuy / 5n);
  await setBalance(anvil, token, sent.venue, 10n ** 30n);
  await anvil.mine();
});

test("amounts that are sampled follow a price that has moved far, from the next block on", async () => {
  const source = propAmm(recordOf(sent));
  const refs = source.fixed?.() ?? [];
  const middle = await anvil.read<bigint>(sent.venue, sentAbi(), "middle");
  const widthAt = async (block: BlockRef) => {
    const [pool] = await source.sync(anvil.reader, refs, block);
    return pool === undefined ? 0n : mathOf(pool).limits(pool.state, { sell: 1, buy: 0 }, 0n).maxSell;
  };
  const before = await anvil.head();
  const width = await widthAt(before);
  await anvil.send(sent.venue, propAmmCall("post", [middle * 10_000n, FOREVER]));
  await anvil.rpc("evm_increaseTime", [120]);
  const moved = await anvil.mine();
  const stale = await widthAt(moved);
  // A block is sampled alike whenever it is asked for.
  expect(await widthAt(moved)).toBe(stale);
  const fresh = await widthAt(await anvil.mine());
  expect(fresh).toBeGreaterThan(1_000n * width);
  expect(await widthAt(moved)).toBe(stale);
  await anvil.send(sent.venue, propAmmCall("post", [middle, FOREVER]));
  await anvil.mine();
});

test("contracts list their pairs, of which the first are served and all others counted", async () => {
  const { pairs: _, ...listing } = recordOf(sent);
  const source = propAmm(listing);
  const at = await anvil.head();
  const found = await source.listed?.(anvil.reader, () => false, at);
  expect(found?.pools.map(({ tokens }) => tokens)).toEqual([sent.tokens]);
  const [pool] = await source.sync(anvil.reader, found?.pools ?? [], at);
  expect(pool?.tokens).toEqual(sent.tokens);
  expect(source.fixed?.()).toEqual(found?.pools);
  expect((await source.listed?.(anvil.reader, () => true, at))?.pools).toEqual([]);

  const word = (value: bigint) => value.toString(16).padStart(64, "0");
  const answer = (count: bigint): Hex =>
    `0x${word(32n)}${word(count)}${Array.from({ length: Number(count) }, (_, i) => word(1n) + word(BigInt(i + 2))).join("")}`;
  const saying = (data: Hex | undefined): ChainReader => ({ ...anvil.reader, calls: async () => [data] });
  const many = await source.listed?.(saying(answer(50n)), () => false, at);
  expect([many?.pools.length, many?.unserved.size]).toEqual([MAX_PAIRS, 50 - MAX_PAIRS]);
  for (const lie of [undefined, "0x", answer(3n).slice(0, -2), `0x${word(64n)}`, `0x${word(32n)}${word(1n << 200n)}`])
    await expect(source.listed?.(saying(lie as Hex), () => false, at)).rejects.toThrow("getPairs()");
});

test("another interface is a line of the record, and a signature that names no amounts is refused", async () => {
  const line = { ...recordOf(drawn, { payment: "drawn" }), fromBlock: 0 };
  const views = { quote: "quote(address sold, address bought, uint256 amount)" };
  const parsed = propAmmRecord.parse({ ...line, views });
  const at = await anvil.head();
  const own = propAmm(parsed);
  const standard = propAmm(recordOf(drawn, { payment: "drawn" }));
  const sync = (source: typeof own, block: BlockRef) => source.sync(anvil.reader, source.fixed?.() ?? [], block);
  expect(await sync(own, at)).toEqual(await sync(standard, at));
  const [pool] = await sync(own, at);
  if (pool === undefined) throw new Error("the pair cannot be read");
  const fill = { poolId: pool.id, source: "", sellAmount: 1n, buyAmount: 1n, gas: 0n, share: 1n };
  const [sellToken, buyToken] = drawn.tokens;
  expect(own.action(pool, { ...fill, sellToken, buyToken })).toEqual({
    ...{ action: "prop-amm", venue: drawn.venue, draws: true },
  });
  for (const quote of [
    "quote",
    "quote(address,address,uint256)",
    "quote(uint256 sold)",
    "q(address amount)",
    "q(bytes sold)",
  ])
    expect(() => propAmmRecord.parse({ ...line, views: { quote } })).toThrow("named sold, bought and amount");
});
