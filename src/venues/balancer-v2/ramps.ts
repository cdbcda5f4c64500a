import { toEventSelector } from "viem";
import type { BlockRef } from "../../domain/block.ts";
import type { ChainReader, Log } from "../../market/chain-reader.ts";
import type { ComposableStableState } from "../../pools/composable-stable/state.ts";
import type { Pool } from "../../pools/pool.ts";
import { amplificationAt } from "../../pools/stableswap/invariant.ts";
import { uintAt } from "../reading/words.ts";
import { poolAddressOf } from "./pool-address.ts";

export type Ramp = Pick<ComposableStableState, "initialA" | "futureA" | "initialATime" | "futureATime">;

/** A stable pool and the amplification that it names; where that moves, the pool does not say to where. */
export interface Amplified {
  readonly pool: Extract<Pool, { curve: "composable-stable" }>;
  readonly amplification: bigint;
  readonly moves: boolean;
}

const AMP_UPDATE_STARTED = toEventSelector("AmpUpdateStarted(uint256,uint256,uint256,uint256)");
/** Blocks in which an unknown ramp is searched first: one range of a node; all of the past may be many. */
const RECENT_BLOCKS = 10_000n;

/**
 * The ramps of pools, by id; those left out that cannot be told. Where a ramp leads is in the log of when it began. While it
 * goes as known, only this block's logs are looked through, for one that took its place. Anybody can have pools with ramps:
 * all that are looked for are, together.
 */
export async function readRamps(
  chain: ChainReader,
  pools: readonly Amplified[],
  at: BlockRef,
  fromBlock: bigint,
): Promise<ReadonlyMap<string, Ramp>> {
  const found = new Map<string, Ramp>();
  const leadsTo = ({ pool, amplification }: Amplified, ramp: Ramp) => {
    const isRight = ramp.futureATime > at.timestamp && amplificationAt(ramp, at.timestamp) === amplification;
    if (isRight) found.set(pool.id, ramp);
    return isRight;
  };

  /** Takes the last ramp that began since a block; answers the pools of which none did. */
  async function look(wanted: readonly Amplified[], since: bigint): Promise<readonly Amplified[]> {
    if (wanted.length === 0) return [];
    const addresses = wanted.map(({ pool }) => poolAddressOf(pool.id));
    const logs = await chain.logs({ addresses, topics: [AMP_UPDATE_STARTED], fromBlock: since, to: at });
    const last = new Map(logs.map((log) => [log.address, log]));
    return wanted.filter((each) => {
      const log = last.get(poolAddressOf(each.pool.id));
      if (log === undefined) return true;
      const ramp = rampIn(log);
      if (ramp === undefined || !leadsTo(each, ramp)) found.delete(each.pool.id);
      return false;
    });
  }

  for (const { pool, amplification, moves } of pools) {
    if (!moves)
      found.set(pool.id, { initialA: amplification, futureA: amplification, initialATime: 0n, futureATime: 0n });
  }
  const moving = pools.filter(({ moves }) => moves);
  const known = new Set(moving.filter((each) => leadsTo(each, rampOf(each))));
  const recent = at.number > fromBlock + RECENT_BLOCKS ? at.number - RECENT_BLOCKS : fromBlock;
  await look([...known], at.number);
  const old = await look(
    moving.filter((each) => !known.has(each)),
    recent,
  );
  if (recent > fromBlock) await look(old, fromBlock);
  return found;
}

function rampOf({ pool: { state } }: Amplified): Ramp {
  const { initialA, futureA, initialATime, futureATime } = state;
  return { initialA, futureA, initialATime, futureATime };
}

function rampIn({ data }: Log): Ramp | undefined {
  const [initialA, futureA, initialATime, futureATime] = [0, 1, 2, 3].map((word) => uintAt(data, word, 64));
  if (initialA === undefined || futureA === undefined || initialATime === undefined || futureATime === undefined)
    return undefined;
  return { initialA, futureA, initialATime, futureATime };
}
