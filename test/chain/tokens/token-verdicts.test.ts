import { beforeEach, describe, expect, it } from "vitest";
import { type BlockMemory, createBlockMemory } from "../../../src/chain/rpc/block-memory.ts";
import { createTokenTests, type TokenTests } from "../../../src/chain/tokens/token-verdicts.ts";
import { type Address, NATIVE_TOKEN } from "../../../src/domain/address.ts";
import type { BlockRef } from "../../../src/domain/block.ts";
import type { TokenVerdict } from "../../../src/domain/token-verdict.ts";
import type { Snapshot } from "../../../src/market/snapshot.ts";
import { createLogger } from "../../../src/ops/logger.ts";
import { tokenAt } from "../../market/pairs.ts";

const NOW_MS = 1_000_000;
const FEE: TokenVerdict = { kind: "fee", ppm: 10_000n };
const KEEPS = "keeps 1 % of what is transferred (100 bps, fee on transfer)";
const [GOOD, BAD, WRAPPED] = [tokenAt(1), tokenAt(2), tokenAt(0)];

let tests: TokenTests;
let height: bigint;
/** Verdicts of trials, and those of the second trial if they differ. */
let words: Map<Address, TokenVerdict | Error>;
let seconds: Map<Address, TokenVerdict | Error>;
let tried: { readonly token: Address; readonly block: bigint; readonly first: readonly Address[] }[];
let memory: BlockMemory;
/** Blocks that have left the chain. */
let gone: Set<bigint>;
let log: Record<string, unknown>[];

beforeEach(() => {
  height = 100n;
  words = new Map([[BAD, FEE]]);
  seconds = new Map();
  tried = [];
  gone = new Set();
  log = [];
  const wordOn = (token: Address) => words.get(token) ?? ({ kind: "plain" } as const);
  memory = createBlockMemory(({ number }) => !gone.has(number));
  tests = createTokenTests({
    async trial(token, at, first, limits) {
      tried.push({ token, block: at.number, first });
      expect(limits).toEqual({ timeoutMs: 3_000, attempts: 2, deadlineMs: NOW_MS + 5_000 });
      const word = wordOn(token);
      if (word instanceof Error) throw word;
      return word;
    },
    async confirm(token) {
      const word = seconds.get(token) ?? wordOn(token);
      if (word instanceof Error) throw word;
      return word;
    },
    head: () => block(),
    memory,
    trusted: new Set([NATIVE_TOKEN, WRAPPED]),
    now: () => NOW_MS,
    logger: createLogger("info", { write: (text) => void log.push(JSON.parse(text)) }),
  });
});

const block = (): BlockRef => ({ number: height, hash: `0x${height}`, parentHash: "0x", timestamp: height });

/** Tokens that are tested during so many blocks, with the block. */
async function during(blocks: number): Promise<readonly (readonly [Address, bigint])[]> {
  const before = tried.length;
  for (let count = 0; count < blocks; count++) {
    height += 1n;
    tests.look({ block: block() } as Snapshot);
    await new Promise(setImmediate);
  }
  return tried.slice(before).map(({ token, block: at }) => [token, at]);
}

describe("a token that is met", () => {
  it("is tested once, and the native one and its wrapper never", async () => {
    await tests.test([GOOD, BAD, WRAPPED, NATIVE_TOKEN]);
    expect(tried.map(({ token }) => token)).toEqual([GOOD, BAD]);
    expect(tests.test([GOOD, BAD, WRAPPED, NATIVE_TOKEN])).toBeUndefined();
    expect(tests.keptOut()).toEqual(new Map([[BAD, KEEPS]]));
    expect(tests.figures()).toEqual({ tested: 2, untestable: 0, keptOut: new Map([[BAD, KEEPS]]) });
    expect(log).toMatchObject([{ token: BAD, verdict: "fee", reason: KEEPS, msg: "a token is kept out of routes" }]);
  });

  it("is tested once for all who ask at the same time", async () => {
    await Promise.all([tests.test([GOOD]), tests.test([GOOD]), tests.testAgain([GOOD], [])]);
    expect(tried.length).toBe(1);
  });

  it("is kept out when the second node cannot say", async () => {
    seconds.set(BAD, new Error("the method does not exist"));
    await tests.test([BAD]);
    expect(tests.keptOut().get(BAD)).toBe(KEEPS);
  });

  it("is not kept out when a second test finds nothing", async () => {
    seconds.set(BAD, { kind: "plain" });
    await tests.test([BAD]);
    expect(tests.keptOut().size).toBe(0);
    expect(tests.isUntestable(BAD)).toBe(true);
  });

  it("is routed when the node cannot test it, and is known for that", async () => {
    words.set(BAD, new Error("the method does not exist"));
    await tests.test([BAD]);
    expect(tests.keptOut().size).toBe(0);
    expect(tests.isUntestable(BAD)).toBe(true);
    expect(tests.figures()).toMatchObject({ tested: 1, untestable: 1 });
    expect(log).toMatchObject([{ token: BAD, reason: "the method does not exist" }]);
  });
});

describe("a token whose route failed", () => {
  it("is tested at once, with the pools of the route first, and what it is called changes with it", async () => {
    await tests.test([GOOD]);
    const before = tests.keptOut();
    words.set(GOOD, FEE);
    expect(await tests.testAgain([GOOD, WRAPPED], [tokenAt(7)])).toBe(true);
    expect(tried.at(-1)).toEqual({ token: GOOD, block: height, first: [tokenAt(7)] });
    expect(tests.keptOut()).not.toBe(before);
    expect(tests.keptOut().get(GOOD)).toBe(KEEPS);
    const kept = tests.keptOut();
    expect(await tests.testAgain([GOOD], [])).toBe(true);
    expect(tests.keptOut()).toBe(kept);
    expect(await tests.testAgain([tokenAt(8)], [])).toBe(false);
  });

  it("stays what it was when the node cannot say", async () => {
    await tests.test([GOOD, BAD]);
    for (const token of [GOOD, BAD]) words.set(token, new Error("no answer in time"));
    expect(await tests.testAgain([GOOD], [])).toBe(false);
    expect(await tests.testAgain([BAD], [])).toBe(true);
    expect(tests.isUntestable(GOOD)).toBe(false);
  });
});

describe("verdicts", () => {
  it("are looked at again after 100 blocks, of tokens that are kept out after 25, of untestable ones after 10", async () => {
    words.set(tokenAt(3), new Error("no answer in time"));
    await tests.test([GOOD, BAD, tokenAt(3)]);
    const again = await during(200);
    const blocksOf = (token: Address) => again.filter(([other]) => other === token).map(([, at]) => Number(at) - 100);
    expect(blocksOf(GOOD)).toEqual([100, 200]);
    expect(blocksOf(BAD).slice(0, 3)).toEqual([25, 50, 75]);
    expect(blocksOf(tokenAt(3)).slice(0, 3)).toEqual([10, 20, 30]);
  });

  it("change when the token does", async () => {
    await tests.test([GOOD, BAD]);
    words.set(BAD, { kind: "plain" });
    await during(25);
    expect(tests.keptOut().size).toBe(0);
    expect(log.at(-1)).toMatchObject({ token: BAD, msg: "a token that was kept out of routes is plain again" });
    words.set(GOOD, { kind: "rebasing" });
    await during(100);
    expect(tests.keptOut()).toEqual(new Map([[GOOD, "changes balances without a transfer (rebasing)"]]));
  });

  it("stay as they were told when only the amount that is off is another", async () => {
    const off = (amount: bigint) => ({ kind: "inexact", amount, sent: amount, received: amount - 1n }) as const;
    words.set(BAD, off(5n));
    await tests.test([BAD]);
    const told = tests.keptOut();
    words.set(BAD, off(7n));
    await during(25);
    expect(tests.keptOut()).toBe(told);
  });

  it("are looked at two at a block, however many are due", async () => {
    const many = Array.from({ length: 9 }, (_, index) => tokenAt(index + 10));
    await tests.test(many);
    await during(99);
    const again = await during(6);
    const perBlock = [200n, 201n, 202n, 203n, 204n, 205n].map((at) => again.filter(([, b]) => b === at).length);
    expect(perBlock).toEqual([2, 2, 2, 2, 1, 0]);
    expect(new Set(again.map(([token]) => token))).toEqual(new Set(many));
  });

  it("are void when their block is gone: another contract may stand there", async () => {
    await tests.test([BAD]);
    height += 1n;
    await tests.test([GOOD]);
    memory.rewind(height - 1n);
    expect(tests.test([BAD])).toBeUndefined();
    await tests.test([GOOD]);
    expect(tried.map(({ token }) => token)).toEqual([BAD, GOOD, GOOD]);
    memory.rewind(height - 2n);
    expect(tests.figures()).toEqual({ tested: 0, untestable: 0, keptOut: new Map() });
  });

  it("are not kept when their block has left the chain before the test ended", async () => {
    gone.add(height);
    await tests.test([BAD]);
    expect(tests.keptOut().size).toBe(0);
    height += 1n;
    await tests.test([BAD]);
    expect(tests.keptOut().get(BAD)).toBe(KEEPS);
  });

  it("on tokens that are kept out are looked at with the next block, once somebody asks for one", async () => {
    await tests.test([BAD]);
    expect(await during(3)).toEqual([]);
    words.set(BAD, { kind: "plain" });
    expect(tests.test([BAD])).toBeUndefined();
    expect(tests.keptOut().has(BAD)).toBe(true);
    expect(await during(2)).toEqual([[BAD, 104n]]);
    expect(tests.keptOut().has(BAD)).toBe(false);
  });

  it("are found by nobody any more when it has ended", async () => {
    await tests.stop();
    await tests.test([GOOD]);
    expect(tried).toEqual([]);
  });
});
