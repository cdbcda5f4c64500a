import { decodeFunctionData, type Hex, numberToHex, parseAbi } from "viem";
import { expect, test } from "vitest";
import { type Address, toAddress } from "../../../src/domain/address.ts";
import type { BlockRef } from "../../../src/domain/block.ts";
import type { Call, ChainReader } from "../../../src/market/chain-reader.ts";
import { mathOf, type Pool } from "../../../src/pools/pool.ts";
import { propAmm } from "../../../src/venues/prop-amm/source.ts";

const abi = parseAbi([
  "function quote(address sold, address bought, uint256 amount) view returns (uint256)",
  "function isActive(address sold, address bought) view returns (bool)",
]);
const addressAt = (index: number) => toAddress(numberToHex(index, { size: 20 }));
const VENUE = addressAt(1);
const DOLLAR = addressAt(2);
const UNIT = 10n ** 18n;

/** Behaviour of a pair at a block: whether it is active, what one token pays at most and whether it quotes at all. */
interface Manner {
  readonly isActive: boolean;
  readonly quotes: boolean;
  /** Base units of a token that are paid in full. */
  readonly depth: bigint;
}

const WORKS: Manner = { isActive: true, quotes: true, depth: 1_000n * UNIT };

function blockOf(number: number): BlockRef {
  const hash = numberToHex(number, { size: 32 });
  return { number: BigInt(number), hash, parentHash: hash, timestamp: 12n * BigInt(number) };
}

/** A node whose contract does with each pair, known by its other token, what is said of it at a block. */
function nodeOf(mannerOf: (token: Address, block: number) => Manner) {
  const counted = { calls: 0 };
  const word = (value: bigint): Hex => numberToHex(value, { size: 32 });
  const reader = {
    async calls(calls: readonly Call[], { number }: BlockRef) {
      counted.calls += calls.length;
      return calls.map(({ data }) => {
        const { functionName, args } = decodeFunctionData({ abi, data });
        const token = toAddress(args[0].toLowerCase() === DOLLAR ? args[1] : args[0]);
        const { isActive, quotes, depth } = mannerOf(token, Number(number));
        if (functionName === "isActive") return word(isActive ? 1n : 0n);
        if (!isActive || !quotes) return undefined;
        const amount = args[2];
        return word(amount < depth ? (amount * 99n) / 100n : (depth * 99n) / 100n);
      });
    },
  } satisfies Pick<ChainReader, "calls">;
  return { reader: reader as Pick<ChainReader, "calls"> as ChainReader, counted };
}

function sourceOf(pairs: number) {
  const tokens = Array.from({ length: pairs }, (_, index) => addressAt(index + 10));
  const source = propAmm({
    ...{ protocol: "prop-amm", source: "Prop_AMM", fromBlock: 0n, payment: "sent", venue: VENUE },
    pairs: tokens.map((token): [Address, Address] => [token, DOLLAR]),
  });
  const refs = source.fixed?.() ?? [];
  const idOf = (index: number) => refs[index]?.id;
  return { source, refs, tokens, idOf };
}

for (const [name, manner] of [
  ["switched off", { ...WORKS, isActive: false }],
  ["active and quote nothing", { ...WORKS, quotes: false }],
] as const)
  test(`pairs that are ${name} keep no other from being read, and are read once they work`, async () => {
    const { source, refs, tokens, idOf } = sourceOf(10);
    const { reader, counted } = nodeOf((token, block) => (tokens.indexOf(token) < 8 && block < 10 ? manner : WORKS));
    const readAt = async (block: number) => (await source.sync(reader, refs, blockOf(block))).map(({ id }) => id);
    for (let block = 1; block < 10; block++) {
      counted.calls = 0;
      await readAt(block);
      expect(counted.calls).toBeLessThan(400);
    }
    expect(await readAt(9)).toEqual([idOf(8), idOf(9)]);
    for (let block = 10; block < 13; block++) await readAt(block);
    expect(await readAt(12)).toHaveLength(10);
  });

test("pairs whose sizes are looked for in vain keep no other's from being found again", async () => {
  const { source, refs, tokens, idOf } = sourceOf(6);
  const { reader } = nodeOf((token, block) => {
    if (block < 10) return WORKS;
    // From then on the first four quote nothing, and the last two have become deeper.
    return tokens.indexOf(token) < 4 ? { ...WORKS, quotes: false } : { ...WORKS, depth: 1_000_000n * UNIT };
  });
  for (const block of [1, 2, 10]) await source.sync(reader, refs, blockOf(block));
  for (let block = 11; block < 20; block++) {
    const pools = await source.sync(reader, refs, blockOf(block));
    expect(pools.map(({ id }) => id)).toEqual([idOf(4), idOf(5)]);
    if (block < 19) continue;
    for (const pool of pools) {
      const { maxSell } = mathOf(pool).limits(pool.state, { sell: 0, buy: 1 }, 0n);
      expect(maxSell).toBeGreaterThan(100_000n * UNIT);
    }
  }
});

test("a block is read alike whenever it is read, older ones in between", async () => {
  const { source, refs } = sourceOf(6);
  // Depths that move far: sizes are looked for again and again.
  const { reader } = nodeOf((_, block) => ({ ...WORKS, depth: UNIT * 10n ** BigInt((block * 7) % 9) }));
  const seen = new Map<string, Pool>();
  const again = new Set<number>();
  await source.sync(reader, refs, blockOf(20));
  for (const block of [20, 21, 15, 30, 29, 20, 31, 15, 40, 41, 33, 30, 42, 41, 31]) {
    for (const pool of await source.sync(reader, refs, blockOf(block))) {
      const key = `${pool.id} ${block}`;
      if (seen.has(key)) again.add(block);
      expect(pool).toEqual(seen.get(key) ?? pool);
      seen.set(key, pool);
    }
  }
  // The other pairs' sizes are not kept any more.
  expect([...again]).toEqual([20, 15, 30, 41, 31]);
});
