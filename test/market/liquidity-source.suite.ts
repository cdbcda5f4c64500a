import { expect } from "vitest";
import { toAddress } from "../../src/domain/address.ts";
import type { BlockRef } from "../../src/domain/block.ts";
import type { PoolId } from "../../src/domain/route.ts";
import type { ChainReader, Log } from "../../src/market/chain-reader.ts";
import { isStateLog, type LiquiditySource, type PoolRef } from "../../src/market/liquidity-source.ts";
import { tickSpacingOf } from "../../src/pools/ekubo/config.ts";
import type { EkuboState } from "../../src/pools/ekubo/state.ts";
import type { Pool } from "../../src/pools/pool.ts";

/** A chain on which a source's pools are traded at random. */
export interface SourceContractCase {
  readonly source: LiquiditySource;
  readonly reader: ChainReader;
  /** The block to start from. */
  readonly start: BlockRef;
  readonly blocks: number;
  /** Logs tell only that pools have changed: these are read again at the block. Absent: logs tell how. */
  readonly rereads?: true;
  logsOf(block: BlockRef): Promise<readonly Log[]>;
  /** Does something with the pools and mines a block. */
  act(): Promise<BlockRef>;
}

/** Coverage of a run, for the caller to compare with its aim. */
export interface SourceContractReport {
  readonly refs: readonly PoolRef[];
  /** Logs that were applied, by first topic; those without any under an empty text. */
  readonly applied: ReadonlyMap<string, number>;
}

const STRANGER = toAddress(`0x${"ab".repeat(20)}`);

/**
 * The promises of LiquiditySource: pools are found and verified, their state is that of one block, and following the
 * logs leads to the state that a fresh read of the next block finds, bit for bit.
 */
export async function sourceContract(contract: SourceContractCase): Promise<SourceContractReport> {
  const { source, reader, logsOf } = contract;
  const refs = await discover(source, reader, contract.start);
  const applied = new Map<string, number>();
  let head = contract.start;
  let pools = byId(await source.sync(reader, refs, contract.start));
  expect([...pools.keys()].sort()).toEqual(refs.map(({ id }) => id).sort());

  // A pool that is not left out at the last block is needed below.
  for (let count = 0; count < contract.blocks || (pools.size === 0 && count < 2 * contract.blocks); count++) {
    const block = await contract.act();
    let next = new Map(pools);
    for (const log of await logsOf(block)) {
      const pool = next.get((source.poolOf === undefined ? log.address : source.poolOf(log)) ?? "");
      if (pool === undefined || !isStateLog(source, log)) continue;
      const topic = log.topics[0] ?? "";
      const before = structuredClone(pool);
      const after = source.apply(pool, log, block.timestamp);
      const [reread] = contract.rereads
        ? await source.sync(
            reader,
            refs.filter(({ id }) => id === pool.id),
            block,
          )
        : [];
      const changed = after === "resync" ? reread : after;
      if (changed === undefined)
        throw new Error(`a log of the real contract was refused: ${JSON.stringify(log, text)}`);
      expect(pool).toEqual(before);
      next.set(pool.id, changed);
      applied.set(topic, (applied.get(topic) ?? 0) + 1);
    }
    if (source.refresh !== undefined) {
      next = byId(await source.refresh(reader, [...next.values()], block));
    }
    const read = byId(await source.sync(reader, refs, block));
    // One that could not be read at the block before is read again as a whole.
    for (const [id, pool] of read) if (!pools.has(id)) next.set(id, pool);
    expect(next).toEqual(read);
    pools = next;
    head = block;
  }

  const [ref] = refs;
  const [pool] = pools.values();
  if (ref === undefined || pool === undefined) throw new Error("no pool was found");
  await refusesStrangers(source, reader, ref, pool, head);
  const near = await source.near?.(reader, refs, head);
  if (near !== undefined) expect(near.map(aroundPrice)).toEqual([...pools.values()].map(aroundPrice));
  for (const value of Object.values(source.fillData(pool))) expect(typeof value).toBe("string");
  return { refs, applied };
}

/** Facts near a pool's price: ticks in the same word of 256 of them, and in the next on either side. */
function aroundPrice({ id, tokens, curve, state }: Pool): unknown {
  if (curve === "ekubo") return { id, tokens, state: { ...state, ticks: aroundTick(state) } };
  if (curve !== "concentrated") return { id, tokens, state };
  const { tick, tickSpacing, liquidity, sqrtPriceX96, ticks } = state;
  const wordOf = (index: number) => Math.floor(index / tickSpacing / 256);
  const isNear = ({ index }: { readonly index: number }) => Math.abs(wordOf(index) - wordOf(tick)) <= 1;
  return { id, tokens, tick, tickSpacing, liquidity, sqrtPriceX96, ticks: ticks.filter(isNear) };
}

/** Ticks of Ekubo's in the word that the price is in, and its neighbours; all of a pool with one range. */
function aroundTick({ config, tick, ticks }: EkuboState): EkuboState["ticks"] {
  const spacing = tickSpacingOf(config);
  const wordOf = (index: number) => Math.floor((Math.floor(index / (spacing ?? 1)) + 89_421_695) / 256);
  return ticks.filter(({ index }) => spacing === undefined || Math.abs(wordOf(index) - wordOf(tick)) <= 1);
}

async function discover(source: LiquiditySource, reader: ChainReader, to: BlockRef): Promise<readonly PoolRef[]> {
  if (source.creation === undefined) return source.fixed?.() ?? [];
  const logs = await reader.logs({ ...source.creation, fromBlock: 0n, to });
  for (const log of logs) {
    expect(source.created?.({ ...log, address: STRANGER })).toBeUndefined();
    expect(source.created?.({ ...log, topics: [] })).toBeUndefined();
    expect(source.created?.({ ...log, data: "0x" })).toBeUndefined();
  }
  const refs = logs.map((log) => source.created?.(log)).filter((ref) => ref !== undefined);
  // A pool may be announced twice, but not as two different ones.
  return refs.filter((ref, index) => {
    const first = refs.findIndex(({ id }) => id === ref.id);
    expect(ref).toEqual(refs[first]);
    return first === index;
  });
}

async function refusesStrangers(
  source: LiquiditySource,
  reader: ChainReader,
  ref: PoolRef,
  pool: Pool,
  at: BlockRef,
): Promise<void> {
  const fake = { ...ref, id: STRANGER, address: STRANGER };
  expect(await source.sync(reader, [fake], at)).toEqual([]);
  for (const topic of source.stateTopics) {
    const log = {
      address: ref.address,
      topics: [topic],
      data: "0x",
      blockHash: at.hash,
      blockNumber: at.number,
    } as const;
    expect(source.apply(pool, { ...log, logIndex: 0 }, at.timestamp)).toBe("resync");
    const ones = `0x${"ff".repeat(32 * 8)}` as const;
    expect(source.apply(pool, { ...log, data: ones, logIndex: 0 }, at.timestamp)).toBe("resync");
  }
}

function byId(pools: readonly Pool[]): Map<PoolId, Pool> {
  return new Map(pools.map((pool) => [pool.id, pool]));
}

function text(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}
