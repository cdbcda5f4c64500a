import type { Logger } from "../../ops/logger.ts";
import type { ChainRecord } from "../chains/chain-record.ts";
import type { Clock } from "../rpc/clock.ts";
import { type Header, parseHeaderOrNone } from "../rpc/codec.ts";
import type { Lane } from "../rpc/pace.ts";
import type { Provider } from "../rpc/provider.ts";
import { MalformedAnswerError } from "../rpc/provider-errors.ts";
import { insist } from "../rpc/retry.ts";
import { sameValue } from "../rpc/same-value.ts";
import { compareHeads } from "./compare-heads.ts";
import { enough } from "./first-answers.ts";
import { createLeaveOutStrangers } from "./foreign-nodes.ts";
import { hedged } from "./hedged.ts";
import { createNode, type Node, type NodeStatus } from "./node.ts";

/** One of several nodes, to be asked by itself. */
export interface PanelNode {
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
  panel(): readonly PanelNode[];
  /** A node has lied about `what`: nothing is asked of it any more while there are others. */
  condemn(node: PanelNode, what: string): void;
  status(): readonly (NodeStatus & { readonly followed: boolean })[];
  close(): void;
}

const MIN_LOOK_MS = 2_000;
/** The other end of the world answers within it: a node that is only far away must not keep blocks from being published. */
const LEAST_TIME_TO_AGREE_MS = 1_000;

export function createNodes(options: {
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
}): Nodes {
  const { clock, logger, record } = options;
  const quorum = Math.min(options.quorum ?? 1, options.providers.length);
  const { mostForCallers } = options;
  const nodes = options.providers.map((provider, index) =>
    createNode({ provider, name: `node ${index + 1}`, clock, mostForCallers }),
  );
  let leader = nodes[0]!;
  let closed = false;
  let cancelLook = () => {};
  const isClosed = () => closed;
  const leaveOutStrangers = createLeaveOutStrangers(record, logger);

  /** The nodes in the order in which they are worth asking. Liars are not, unless all are. */
  function ranked(): readonly Node[] {
    const honest = nodes.filter((node) => !node.lies());
    return (honest.length > 0 ? honest : nodes)
      .map((node, index) => ({ node, index, usable: node.usable() }))
      .sort((a, b) => {
        if (a.usable !== b.usable) return a.usable ? -1 : 1;
        if (!a.usable) return a.node.restsUntil() - b.node.restsUntil() || a.index - b.index;
        return a.node.latencyMs() - b.node.latencyMs() || a.index - b.index;
      })
      .map(({ node }) => node);
  }

  /** A view that asks the node that `choose` names when a request is made. */
  function viewOf(choose: () => Node, lane: Lane): Provider {
    return view((method, params, given = {}) => {
      const node = choose();
      const limits = { ...given, lane };
      return insist(() => node.request(method, params, limits), limits, { clock, isClosed, moves: false });
    });
  }

  /** A view whose every attempt is at another node, for callers. */
  function viewOfAny(): Provider {
    const moves = nodes.length > 1;
    return view((method, params, limits = {}) => {
      const attempt = async (tried: number) => {
        const order = ranked();
        const first = order[tried % order.length]!;
        const second = order[(tried + 1) % order.length]!;
        if (first === second || !second.usable()) return first.request(method, params, limits);
        return hedged([method, params, limits], first, second, clock);
      };
      return insist(attempt, limits, { clock, isClosed, moves });
    });
  }

  function view(request: Provider["request"]): Provider {
    return { request, onHeadHint, close };
  }

  function onHeadHint(listener: () => void): () => void {
    const ends = nodes.map(({ provider }) => provider.onHeadHint(listener));
    return () => {
      for (const end of ends) end();
    };
  }

  function close(): void {
    closed = true;
    cancelLook();
    for (const { provider } of nodes) provider.close();
  }

  function look(): void {
    cancelLook = clock.after(Math.max(record.blockTimeMs, MIN_LOOK_MS), async () => {
      if (closed) return;
      await compareHeads(await leaveOutStrangers(ranked()), record.blockTimeMs, quorum);
      if (!closed) look();
    });
  }

  if (nodes.length > 1) look();

  return {
    followed: viewOf(() => leader, "follower"),
    any: viewOfAny(),
    other: viewOf(() => ranked().find((node) => node !== leader && node.usable()) ?? leader, "callers"),
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
      const timeoutMs = Math.max(record.blockTimeMs / 4, LEAST_TIME_TO_AGREE_MS);
      const limits = { attempts: 1, timeoutMs, lane: "follower" } as const;
      let contradicted = false;
      const asked = nodes
        .filter((node) => node !== leader && !node.lies())
        .map(async (node) => {
          try {
            const found = parseHeaderOrNone(await node.request("eth_getBlockByHash", [header.hash, false], limits));
            if (found?.hash !== header.hash) return false;
            const { number, parentHash, timestamp } = found;
            const isSame = sameValue({ ...header, number, parentHash, timestamp }, header);
            contradicted ||= !isSame;
            return isSame;
          } catch {
            return false;
          }
        });
      const isEnough = await enough(asked, quorum - 1);
      if (!isEnough && contradicted) throw new MalformedAnswerError("block: other nodes know it otherwise");
      return isEnough;
    },
    quorum,
    panel: () =>
      nodes
        .filter((node) => node.usable())
        .map((node) => ({ name: node.name, followed: node === leader, provider: viewOf(() => node, "follower") })),
    condemn({ name }, what) {
      const node = nodes.find((candidate) => candidate.name === name)!;
      logger.error({ node: name, what }, "a node lies: the others say otherwise");
      node.condemn(what);
      if (node === leader) options.leaderLied?.(what);
    },
    status: () => nodes.map((node) => ({ ...node.status(), followed: node === leader })),
    close,
  };
}
