import type { BlockRef } from "../../domain/block.ts";
import type { PoolId } from "../../domain/route.ts";
import type { ChainReader } from "../../market/chain-reader.ts";
import type { LiquiditySource, PoolRef } from "../../market/liquidity-source.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import { withoutTax } from "../../market/taxed-pools.ts";
import type { Follower } from "../blocks/follower.ts";
import { sameValue } from "../node/same-value.ts";
import { type PoolState, readPools } from "../pools/read-pools.ts";
import type { NodeVote } from "./node-vote.ts";

/** A pool as it is in memory. */
interface Held {
  readonly ref: PoolRef;
  readonly pool: PoolState;
}

interface RecheckOptions {
  readonly reader: ChainReader;
  readonly sources: readonly LiquiditySource[];
  readonly follower: Pick<Follower, "tracked">;
  readonly panel?: NodeVote;
}

/** Compares pools of a snapshot with the chain at its block, and names those that differ; reports how many it compared. */
export async function differingPools(
  ids: readonly PoolId[],
  { graph, block }: Snapshot,
  { reader, sources, follower, panel }: RecheckOptions,
  onCompared: (pools: number) => void,
): Promise<readonly PoolId[]> {
  // All sources at once: their calls share requests.
  const ofSources = sources.map(async (source): Promise<readonly PoolId[]> => {
    const wrong: PoolId[] = [];
    const held = ids.flatMap((id) => {
      const tracked = follower.tracked(id);
      const pool = graph.pool(id);
      return tracked?.source === source && pool !== undefined ? [{ ref: tracked.ref, pool: withoutTax(pool) }] : [];
    });
    const differing = await differingTwice(held, source, block, reader);
    onCompared(held.length);
    for (const { ref, pool } of differing) {
      const verdict = await panel?.poolAt(source, ref, block);
      // The node that was read from said what is not so, and not the one that was followed.
      if (verdict !== undefined && sameValue(pool, verdict.answer)) continue;
      wrong.push(ref.id);
    }
    return wrong;
  });
  return (await Promise.all(ofSources)).flat();
}

/** The pools whose state is another on the chain, of two readings. */
async function differingTwice(
  held: readonly Held[],
  source: LiquiditySource,
  at: BlockRef,
  reader: ChainReader,
): Promise<readonly Held[]> {
  if (held.length === 0) return [];
  const differing = await differingFrom(held, source, at, reader);
  // A slip is no difference: anvil, for one, answers now and then from the block that it is just mining.
  return differing.length === 0 ? [] : differingFrom(differing, source, at, reader);
}

async function differingFrom(
  held: readonly Held[],
  source: LiquiditySource,
  at: BlockRef,
  reader: ChainReader,
): Promise<readonly Held[]> {
  const refs = held.map(({ ref }) => ref);
  const read = await readPools({ reader }, source, refs, at);
  return held.filter(({ ref, pool }) => !sameValue(pool, read.get(ref.id)));
}
