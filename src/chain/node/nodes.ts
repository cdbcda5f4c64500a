import type { Logger } from "../../ops/logger.ts";
import type { ChainRecord } from "../chains/chain-record.ts";
import type { Clock } from "../rpc/clock.ts";
import type { Header } from "../rpc/codec.ts";
import type { Provider } from "../rpc/provider.ts";
import { compareHeads } from "./compare-heads.ts";
import { createForeignNodeFilter } from "./foreign-nodes.ts";
import { createNode, type Node, type NodeStatus } from "./node.ts";
import { createNodeViews, rankedNodes } from "./node-views.ts";
import { haveBlock } from "./same-block.ts";

/** One of several nodes, to be asked by itself. */
export interface VotingNode {
  readonly name: string;
  readonly followed: boolean;
  readonly provider: Provider;
}

/** Several nodes of one chain. Each view is a Provider, so that nobody behind it has to know how many there are. */
export interface Nodes {
  /**
   * The one node that is followed. It changes between turns of the follower only: what belongs together is read from one.
   * Its requests go before all that wait at that node for callers, and so do those of the panel.
   */
  readonly followed: Provider;
  /** Any node that is well, two when the first is slow: for reads that name their block. */
  readonly any: Provider;
  /** The node that is followed and, where that cannot answer, another one: for work that nobody waits for. */
  readonly patient: Provider;
  /** A node that is not the one that is followed, where there is one that is well: what it says is another's word. */
  readonly other: Provider;
  /** Before a turn of the follower: changes the node that is followed when another is better. */
  beginTurn(): void;
  /** After a turn that failed for what the followed node said or did not say. */
  blame(): void;
  /**
   * Whether enough nodes, the followed one among them, have the block.
   * @throws MalformedAnswerError when too few have, and one has it with another height, parent or time.
   */
  agreeOn(header: Header): Promise<boolean>;
  /** Nodes that have to have a block before it is published. */
  readonly quorum: number;
  /** Every node that is well. */
  panel(): readonly VotingNode[];
  /** A node has lied about `what`: nothing is asked of it any more while there are others. */
  distrust(node: VotingNode, what: string): void;
  status(): readonly (NodeStatus & { readonly followed: boolean })[];
  close(): void;
}

const MIN_LOOK_MS = 2_000;
/** The other end of the world answers within it: a node that is only far away must not keep blocks from being published. */
const MIN_TIME_TO_AGREE_MS = 1_000;

/** Dependencies of the nodes, with their providers. */
interface NodesOptions {
  readonly providers: readonly Provider[];
  readonly record: Pick<ChainRecord, "blockTimeMs" | "chainId" | "name">;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Nodes that have to have a block before it is published. */
  readonly quorum?: number;
  /** Requests for callers that are on their way to one node at a time. */
  readonly mostForCallers?: number | undefined;
  /** Called when the node that is followed has lied: what was read from it is in doubt. */
  readonly leaderLied?: (what: string) => void;
}

/** Whether a node can be asked instead of the one that is followed. */
function isOther(node: Node, leader: Node, method: string): boolean {
  return node !== leader && node.usable() && node.serves(method);
}

export function createNodes(options: NodesOptions): Nodes {
  const { clock, logger, record } = options;
  const quorum = Math.min(options.quorum ?? 1, options.providers.length);
  const { mostForCallers } = options;
  const nodes = options.providers.map((provider, index) =>
    createNode({ provider, name: `node ${index + 1}`, clock, mostForCallers }),
  );
  let leader = nodes[0]!;
  let cancelLook = () => {};
  const ranked = (method?: string) => rankedNodes(nodes, method);
  const views = createNodeViews(nodes, ranked, clock, () => cancelLook());
  const leaveOutStrangers = createForeignNodeFilter(record, logger);

  function look(): void {
    cancelLook = clock.after(Math.max(record.blockTimeMs, MIN_LOOK_MS), async () => {
      if (views.isClosed()) return;
      await compareHeads(await leaveOutStrangers(ranked()), record.blockTimeMs, quorum);
      if (!views.isClosed()) look();
    });
  }

  if (nodes.length > 1) look();

  return {
    followed: views.of(() => leader, "follower"),
    any: views.any,
    patient: views.patient(() => leader),
    other: views.of((method) => ranked(method).find((node) => isOther(node, leader, method)) ?? leader, "callers"),
    beginTurn() {
      if (leader.usable()) return;
      const [best] = ranked();
      // Even a node that fails is better than one that lies: then there is no answer.
      if (best === undefined || best === leader || !(best.usable() || leader.lies())) return;
      logger.warn({ from: leader.name, to: best.name, why: leader.status().state }, "another node is followed");
      leader = best;
    },
    blame() {
      if (nodes.some((node) => node !== leader && node.usable())) leader.rest();
    },
    async agreeOn(header) {
      if (quorum <= 1) return true;
      const timeoutMs = Math.max(record.blockTimeMs / 4, MIN_TIME_TO_AGREE_MS);
      const others = nodes.filter((node) => node !== leader && !node.lies());
      return haveBlock(others, header, quorum - 1, timeoutMs);
    },
    quorum,
    panel: () =>
      nodes
        .filter((node) => node.usable())
        .map((node) => ({ name: node.name, followed: node === leader, provider: views.of(() => node, "follower") })),
    distrust({ name }, what) {
      const node = nodes.find((candidate) => candidate.name === name)!;
      logger.error({ node: name, what }, "a node lies: the others say otherwise");
      node.distrust(what);
      if (node === leader) options.leaderLied?.(what);
    },
    status: () => nodes.map((node) => ({ ...node.status(), followed: node === leader })),
    close: views.any.close,
  };
}
