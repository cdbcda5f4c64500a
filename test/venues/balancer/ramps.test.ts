import { encodeAbiParameters } from "viem";
import { expect, it } from "vitest";
import type { BlockRef } from "../../../src/domain/block.ts";
import type { ChainReader, Log } from "../../../src/market/chain-reader.ts";
import { type Amplified, readRamps } from "../../../src/venues/balancer-v2/ramps.ts";
import { tokenAt } from "../../market/pairs.ts";

const at: BlockRef = { number: 50_000n, hash: "0x01", parentHash: "0x00", timestamp: 1_000n };
const WORDS = [{ type: "uint256" }, { type: "uint256" }, { type: "uint256" }, { type: "uint256" }] as const;
/** From 200 to 400 between seconds 0 and 2,000: 300 now. */
const DATA = encodeAbiParameters(WORDS, [200n, 400n, 0n, 2_000n]);
const RAMP = { initialA: 200n, futureA: 400n, initialATime: 0n, futureATime: 2_000n };

const idOf = (index: number) => `${tokenAt(index)}${"0".repeat(24)}`;

function moving(index: number, amplification = 300n): Amplified {
  const state = { initialA: 7n, futureA: 7n, initialATime: 0n, futureATime: 0n };
  return { pool: { id: idOf(index), state } as Amplified["pool"], amplification, moves: true };
}

/** A chain on which ramps began at these blocks, by pool. */
function chainOf(begun: Readonly<Record<number, bigint>>) {
  const asked: { readonly pools: number; readonly from: bigint }[] = [];
  const chain: Pick<ChainReader, "logs"> = {
    async logs({ addresses, fromBlock }) {
      asked.push({ pools: addresses!.length, from: fromBlock });
      return Object.entries(begun).flatMap(([index, block]): readonly Log[] => {
        const address = tokenAt(Number(index));
        if (block < fromBlock || !addresses!.includes(address)) return [];
        return [{ address, topics: [], data: DATA, blockHash: "0x02", blockNumber: block, logIndex: 0 }];
      });
    },
  };
  return { asked, chain: chain as ChainReader };
}

it("ramps of many pools are looked for among the last blocks by one request, and by another where they are older", async () => {
  const { asked, chain } = chainOf({ 1: 49_000n, 2: 49_500n, 3: 100n });
  const ramps = await readRamps(
    chain,
    [1, 2, 3, 4].map((index) => moving(index)),
    at,
    10n,
  );
  expect([...ramps]).toEqual([1, 2, 3].map((index) => [idOf(index), RAMP]));
  expect(asked).toEqual([
    { pools: 4, from: 40_000n },
    { pools: 2, from: 10n },
  ]);
});

it("a ramp that does not lead to what its pool says is none, in the place of a known one too", async () => {
  const { chain } = chainOf({ 1: 50_000n, 2: 50_000n });
  const known = (index: number): Amplified => {
    const pool = { id: idOf(index), state: { ...RAMP, futureA: 600n, initialA: 0n } } as Amplified["pool"];
    return { pool, amplification: 300n, moves: true };
  };
  const ramps = await readRamps(chain, [moving(1, 301n), known(2), known(3)], at, 0n);
  expect([...ramps]).toEqual([
    [idOf(2), RAMP],
    [idOf(3), { ...RAMP, futureA: 600n, initialA: 0n }],
  ]);
});

it("where none moves nothing is asked", async () => {
  const { asked, chain } = chainOf({});
  const still = { ...moving(1), moves: false };
  expect([...(await readRamps(chain, [still], at, 0n)).values()]).toEqual([
    { initialA: 300n, futureA: 300n, initialATime: 0n, futureATime: 0n },
  ]);
  expect(asked).toEqual([]);
});
