import type { Hex } from "../../domain/address.ts";
import { type Header, parseHeader, quantityParameter } from "../rpc/codec.ts";
import type { Node } from "./node.ts";

/** A node this far behind the foremost lags: blocks, and on fast chains the blocks of this time. */
const LAG_BLOCKS = 3;
const LAG_MS = 5_000;
/** Below the lowest head: nodes that disagree at the very head will agree in a moment. */
const SETTLED_DEPTH = 2n;
const TIMEOUT_MS = 3_000;

/**
 * Asks every node for its head and, at one height that all have, for its block. Nodes behind the foremost head that
 * `quorum` nodes have reached lag; those far ahead of it, and those whose block is not that of most nodes, are on another
 * fork (where two groups are equal, the one with the higher head counts). A node that does not answer is judged by its
 * requests, not here.
 */
export async function compareHeads(nodes: readonly Node[], blockTimeMs: number, quorum: number): Promise<void> {
  const heads = await Promise.all(nodes.map((node) => header(node, "latest")));
  const numbers = heads.flatMap((head) => (head === undefined ? [] : [head.number]));
  if (numbers.length === 0) return;
  const foremost = numbers.sort((a, b) => Number(b - a))[Math.min(quorum, numbers.length) - 1]!;
  const lag = BigInt(Math.max(LAG_BLOCKS, blockTimeMs === 0 ? 0 : Math.ceil(LAG_MS / blockTimeMs)));
  const behind = heads.map((head) => head !== undefined && foremost - head.number > lag);
  const ahead = heads.map((head) => head !== undefined && head.number - foremost > lag);
  const near = heads.map((head, index) => head !== undefined && !behind[index] && !ahead[index]);
  const lowest = heads.reduce<bigint>(
    (low, head, index) => (near[index] && head!.number < low ? head!.number : low),
    foremost,
  );
  const height = lowest > SETTLED_DEPTH ? lowest - SETTLED_DEPTH : 0n;
  const settled = await Promise.all(
    nodes.map((node, index) => (near[index] ? header(node, quantityParameter(height)) : undefined)),
  );
  const chosen = mostCommon(settled, heads);
  for (const [index, node] of nodes.entries()) {
    const head = heads[index];
    if (head === undefined) continue;
    const block = settled[index];
    node.place({
      head: head.number,
      lagging: behind[index]!,
      forked: ahead[index]! || (block !== undefined && chosen !== undefined && block.hash !== chosen),
    });
  }
}

async function header(node: Node, block: Hex | "latest"): Promise<Header | undefined> {
  try {
    return parseHeader(
      await node.request("eth_getBlockByNumber", [block, false], { timeoutMs: TIMEOUT_MS, lane: "follower" }),
    );
  } catch {
    return undefined;
  }
}

function mostCommon(settled: readonly (Header | undefined)[], heads: readonly (Header | undefined)[]): Hex | undefined {
  const groups = new Map<Hex, { votes: number; highest: bigint }>();
  for (const [index, block] of settled.entries()) {
    if (block === undefined) continue;
    const group = groups.get(block.hash) ?? { votes: 0, highest: 0n };
    const top = heads[index]?.number ?? 0n;
    groups.set(block.hash, { votes: group.votes + 1, highest: top > group.highest ? top : group.highest });
  }
  const [first] = [...groups].sort(([, a], [, b]) => b.votes - a.votes || Number(b.highest - a.highest));
  return first?.[0];
}
