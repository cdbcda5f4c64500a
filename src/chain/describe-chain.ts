import type { ChainFigures } from "../ops/chain-metrics.ts";
import type { ChainStatus } from "./chain.ts";

/** Quarantined pools, and tokens that are kept out, that are told by name; of more, only the number is. */
const MAX_NAMED = 50;

/** A chain's status as JSON tells it: numbers of blocks as numbers, nothing that names a node. */
export function describeChain(status: ChainStatus) {
  const {
    phase,
    head,
    lag,
    pools,
    asleep,
    resyncs,
    lastError,
    discovery,
    audit,
    quarantined,
    tokens,
    nodes,
    sourcesOff,
    fleet,
  } = status;
  return {
    ...(fleet && { fleet: { ...fleet, silentMs: Number.isFinite(fleet.silentMs) ? fleet.silentMs : null } }),
    phase,
    head:
      head === undefined ? null : { number: Number(head.number), hash: head.hash, timestamp: Number(head.timestamp) },
    lag: Number(lag),
    pools,
    asleep,
    resyncs,
    lastError: lastError ?? null,
    discovery: discovery === undefined ? null : describeDiscovery(discovery),
    audit,
    quarantined: {
      count: quarantined.size,
      pools: [...quarantined].slice(0, MAX_NAMED).map(([pool, reason]) => ({ pool, reason })),
    },
    sourcesOff: [...sourcesOff].map(([source, reason]) => ({ source, reason })),
    tokens: {
      tested: tokens.tested,
      untestable: tokens.untestable,
      keptOut: {
        count: tokens.keptOut.size,
        tokens: [...tokens.keptOut].slice(0, MAX_NAMED).map(([token, reason]) => ({ token, reason })),
      },
    },
    nodes: nodes.map((node) => ({
      ...node,
      head: node.head === undefined ? null : Number(node.head),
      lie: node.lie ?? null,
      refusal: node.refusal ?? null,
      requestsPerSecond: node.requestsPerSecond ?? null,
    })),
  };
}

function describeDiscovery(discovery: NonNullable<ChainStatus["discovery"]>) {
  const { unsearchable } = discovery;
  return {
    fromBlock: Number(discovery.fromBlock),
    nextBlock: Number(discovery.nextBlock),
    toBlock: Number(discovery.toBlock),
    searched: searchedShare(discovery),
    pools: discovery.pools,
    blocksPerSecond: Math.round(discovery.blocksPerSecond),
    secondsLeft: discovery.secondsLeft ?? null,
    trouble: discovery.trouble ?? null,
    unsearchable:
      unsearchable === undefined ? null : { fromBlock: Number(unsearchable.from), toBlock: Number(unsearchable.to) },
  };
}

/** Describes the rest of the search for pools, for readiness checks; undefined if nothing is left. */
export function discoveryInWords({ discovery }: Pick<ChainStatus, "discovery">): string | undefined {
  if (discovery === undefined) return undefined;
  const { nextBlock, toBlock, pools, secondsLeft, trouble } = discovery;
  if (trouble !== undefined) return trouble;
  if (nextBlock > toBlock) return `Pools are being read that the search has found, ${pools} so far.`;
  const left = secondsLeft === undefined ? "" : `, about ${secondsLeft} s left`;
  return `Pools are still searched for, up to block ${toBlock}: at block ${nextBlock}, ${pools} found${left}.`;
}

/** The part of the blocks that was searched for pools, 0 to 1. */
function searchedShare({ fromBlock, nextBlock, toBlock }: NonNullable<ChainStatus["discovery"]>): number {
  return Math.round((Number(nextBlock - fromBlock) / Number(toBlock + 1n - fromBlock)) * 1_000) / 1_000;
}

/** A chain's status as it is measured. */
export function figuresOf({
  head,
  lag,
  pools,
  resyncs,
  audit,
  quarantined,
  tokens,
  nodes,
  leftOut,
  unavailable,
}: ChainStatus): ChainFigures {
  return {
    headBlock: Number(head?.number ?? 0n),
    lagBlocks: Number(lag),
    pools,
    quarantinedPools: quarantined.size,
    keptOutTokens: tokens.keptOut.size,
    resyncs,
    auditCompared: audit.compared,
    auditMismatched: audit.mismatched,
    leftOut,
    available: unavailable === undefined,
    nodes: nodes.map(({ name, state, followed, latencyMs, errorRate }) => {
      return { name, well: state === "well", lying: state === "lying", followed, latencyMs, errorRate };
    }),
  };
}
