import { keccak256 } from "viem";
import { beforeAll, describe, expect, it } from "vitest";
import { parseHeader } from "../../../src/chain/rpc/codec.ts";
import { createProvider, type Provider } from "../../../src/chain/rpc/provider.ts";
import { RpcError } from "../../../src/chain/rpc/provider-errors.ts";
import { createChainReader } from "../../../src/chain/rpc/reader.ts";
import { toAddress } from "../../../src/domain/address.ts";
import type { BlockRef } from "../../../src/domain/block.ts";
import type { ChainReader } from "../../../src/market/chain-reader.ts";
import { createLogger } from "../../../src/ops/logger.ts";
import { scanWords, type WordRange } from "../../../src/venues/reading/word-scan.ts";
import { wordOf } from "../../../src/venues/reading/words.ts";
import { useDevnet } from "../../support/worlds/devnet.ts";

/** Contracts that answer with the argument, with the argument in one byte, and not at all. */
const CODES = {
  echo: "0x60043560005260206000f3",
  short: "0x60043560005360016000f3",
  failing: "0x60006000fd",
} as const;
const at = (name: keyof typeof CODES) => toAddress(keccak256(CODES[name]).slice(0, 42));
const range = (name: keyof typeof CODES, first: number, last: number): WordRange => {
  return { to: at(name), selector: "0x12345678", first, last };
};

const devnet = useDevnet();
let block: BlockRef;
let node: Provider;
let reader: ChainReader;
/** Requests of the reader so far. */
let requests = 0;

beforeAll(async () => {
  for (const [name, code] of Object.entries(CODES)) {
    await devnet().rpc("anvil_setCode", [at(name as keyof typeof CODES), code]);
  }
  await devnet().mine();
  block = parseHeader(await devnet().rpc("eth_getBlockByNumber", ["latest", false]));
  node = createProvider({ url: devnet().rpcUrl, timeoutMs: 10_000, logger: createLogger("silent") });
  const request: Provider["request"] = (...asked) => {
    requests += 1;
    return node.request(...asked);
  };
  reader = createChainReader({ ...node, request }, devnet().chain);
});

/** The node as one that runs no creation code. */
const refusing: Provider["request"] = async (...asked) => {
  const [method, [call]] = asked as unknown as [string, [{ readonly to?: string } | undefined]];
  if (method === "eth_call" && call?.to === undefined) throw new RpcError(-32000, "no code");
  return node.request(...asked);
};

const numbersOf = (words: ReadonlyMap<number, bigint>) => [...words].map(([number, word]) => [number, word]);
const echoed = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index)
    .filter((number) => number !== 0)
    .map((number) => [number, BigInt.asUintN(256, BigInt(number))]);

describe("a scan of words", () => {
  it("finds those that are not zero, below zero too, in each of several ranges", async () => {
    const ranges = [range("echo", -3, 4), range("echo", 7, 6), range("echo", -70_000, -69_999), range("echo", 0, 0)];
    const found = await scanWords(reader, ranges, block);
    expect(found?.map(numbersOf)).toEqual(ranges.map(({ first, last }) => echoed(first, last)));
  });

  it("answers for many ranges, and for longer ones than one request takes", async () => {
    const many = Array.from({ length: 400 }, (_, index) => range("echo", index, index));
    expect((await scanWords(reader, many, block))?.map(numbersOf)).toEqual(
      many.map(({ first }) => echoed(first, first)),
    );
    const { uniswapV3Factory } = devnet().contracts;
    const source = { to: uniswapV3Factory, selector: "0x22afcccb" } as const;
    // feeAmountTickSpacing(uint24): there are four fees among ten thousand.
    requests = 0;
    const [fees] = (await scanWords(reader, [{ ...source, first: 0, last: 10_000 }], block)) ?? [];
    expect(numbersOf(fees!)).toEqual([
      [100, 1n],
      [500, 10n],
      [3_000, 60n],
      [10_000, 200n],
    ]);
    expect(requests).toBeLessThan(6);
  });

  it("asks a mapping for the slots of its entries", async () => {
    const slot = `0x${wordOf(77)}` as const;
    const [found] = (await scanWords(reader, [{ ...range("echo", -1, 1), mapping: slot }], block)) ?? [];
    const hashes = [-1, 0, 1].map((number) => [number, BigInt(keccak256(`0x${wordOf(number)}${wordOf(77)}`))]);
    expect(numbersOf(found!)).toEqual(hashes);
  });

  it("adds an offset to each number, modulo 2^256, before it asks for it or for a mapping's entry", async () => {
    const offset = 2n ** 256n - 2n;
    const slot = `0x${wordOf(77)}` as const;
    const ranges = [
      { ...range("echo", 0, 4), offset },
      { ...range("echo", -2, -1), offset: 5n },
      { ...range("echo", 7, 7), offset: 2n ** 255n, mapping: slot },
      range("echo", 7, 7),
    ];
    expect((await scanWords(reader, ranges, block))?.map(numbersOf)).toEqual([
      // The sum of the third is zero.
      [
        [0, offset],
        [1, offset + 1n],
        [3, 1n],
        [4, 2n],
      ],
      [
        [-2, 3n],
        [-1, 4n],
      ],
      [[7, BigInt(keccak256(`0x${wordOf(2n ** 255n + 7n)}${wordOf(77)}`))]],
      [[7, 7n]],
    ]);
    const many = Array.from({ length: 400 }, (_, index) => ({ ...range("echo", index, index), offset, mapping: slot }));
    expect((await scanWords(reader, many, block))?.map(({ size }) => size)).toEqual(many.map(() => 1));
  });

  it("is refused as a whole where a call fails, answers too little, or more is found than a node returns", async () => {
    expect(await scanWords(reader, [range("echo", 1, 2), range("failing", 1, 1)], block)).toBeUndefined();
    expect(await scanWords(reader, [range("short", 1, 1)], block)).toBeUndefined();
    expect(await scanWords(reader, [{ ...range("echo", 1, 1), to: toAddress(`0x${"12".repeat(20)}`) }], block)).toBe(
      undefined,
    );
    expect((await scanWords(reader, [range("echo", 1, 722)], block))?.map(numbersOf)).toEqual([echoed(1, 722)]);
    expect(await scanWords(reader, [range("echo", 1, 723)], block)).toBeUndefined();
  });

  it("is not made at a node that runs no creation code, nor believed where an answer is another one", async () => {
    expect(await scanWords({}, [range("echo", 1, 2)], block)).toBeUndefined();
    const without = createChainReader({ ...node, request: refusing }, devnet().chain);
    expect(await scanWords(without, [range("echo", 1, 2)], block)).toBeUndefined();
    for (const answer of ["0x", "0x0002", "0x0001", `0x0002${"00".repeat(34)}`, `0x00020005${wordOf(9)}`] as const) {
      const found = await scanWords({ run: async () => answer }, [range("echo", 1, 2)], block);
      expect(found?.map(numbersOf), answer).toEqual(answer === "0x0002" ? [[]] : undefined);
    }
  });
});
