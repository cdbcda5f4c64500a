import type { Memory } from "../session/scratch.ts";
import type { Session } from "../session/session.ts";

/** How paths end. */
export interface LastPools {
  /** The sink, and the nodes that a pool leads to it from. */
  readonly entries: ReadonlySet<number>;
  /** By node, the most that a unit of its token makes of the sink's over one or two pools, at the margin; 0 where none do. */
  readonly onward: Float64Array;
}

/** `onward` is taken from `memory`. */
export function lastPools(session: Session, memory: Memory): LastPools {
  const { graph, source, sink } = session;
  const { start, to, spotBack, size } = graph;
  const entries = new Set([sink]);
  for (let slot = start[sink] as number; slot < session.entryEnd; slot++) {
    const node = to[slot] as number;
    if (node !== source && session.closes(node)) entries.add(node);
  }
  const onward = memory.floats(size).fill(0);
  for (const node of entries) {
    const rate = node === sink ? 1 : session.entryRate(node);
    const end = entryEndOf(session, node);
    session.steps += end - (start[node] as number);
    for (let back = start[node] as number; back < end; back++) {
      const made = (spotBack[back] as number) * rate;
      if (made > (onward[to[back] as number] as number)) onward[to[back] as number] = made;
    }
  }
  return { entries, onward };
}

/** The slot behind the last one of an entry that paths may come over, the other way round. */
export function entryEndOf({ graph, sink, entryEnd }: Session, node: number): number {
  return node === sink ? entryEnd : (graph.live[node] as number);
}
