import type { Logger } from "../ops/logger.ts";
import type { ChainRecord } from "./chains/chain-record.ts";
import type { Clock } from "./clock.ts";
import { sleep } from "./clock.ts";
import { compareHeads } from "./compare-heads.ts";
import { createNode, type Node, type NodeStatus, worthRetrying } from "./node.ts";
import type { Provider, RequestOptions } from "./provider.ts";
import { isUnknownBlock, TransportError } from "./provider-errors.ts";
import { type Header, parseHeaderOrNone } from "./wire.ts";

/** One of several nodes, to be asked by itself. */
export interface PanelNode {
  readonly name: string;
  readonly followed: boolean;
  readonly provider: Provider;
}

/** Several nodes of one chain. Each view is a Provider, so that nobody behind it has to know how many there are. */
export interface Nodes {
  /** The one node that is followed. It changes between turns of the follower only: what belongs together is read from one. */
  readonly followed: Provider;
  /** Any node that is well, two when the first is slow: for reads that name their block. */
  readonly any: Provider;
  /** A node that is not the one that is followed, where there is one that is well: what it says is another's word. */
  readonly other: Provider;
  /** Before a turn of the follower: changes the node that is followed when another is better. */
  beginTurn(): void;
  /** After a turn that failed for what the followed node said or did not say. */
  blame(): void;
  /** Whether enough nodes, the followed one among them, have the block. */
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

const ATTEMPTS = 3;
const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 2_000;
/** A second node is asked when the first has taken so many times its mean, within these bounds. */
const SLOW = 3;
const MIN_HEDGE_MS = 100;
const MAX_HEDGE_MS = 1_500;
const MIN_LOOK_MS = 2_000;

export function createNodes(options: {
  readonly providers: readonly Provider[];
  readonly record: Pick<ChainRecord, "blockTimeMs">;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Nodes that have to have a block before it is published. */
  readonly quorum?: number;
  /** Called when the node that is followed has lied: what was read from it is in doubt. */
  readonly leaderLied?: (what: string) => void;
}): Nodes {
  const { clock, logger, record } = options;
  const quorum = Math.min(options.quorum ?? 1, options.providers.length);
  const nodes = options.providers.map((provider, index) => createNode({ provider, name: `node ${index + 1}`, clock }));
  let leader = nodes[0]!;
  let closed = false;
  let cancelLook = () => {};

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

  /** One try after another until there is an answer, each at the node that `choose` names for it. */
  async function insist(
    choose: (attempt: number) => Promise<unknown>,
    limits: RequestOptions,
    moves: boolean,
  ): Promise<unknown> {
    const attempts = limits.attempts ?? ATTEMPTS;
    for (let tried = 1; ; tried++) {
      if (closed) throw new TransportError("closed");
      try {
        return await choose(tried - 1);
      } catch (error) {
        // A block that a node does not have yet may be there in a moment, or at another node.
        if (closed || tried >= attempts || !(worthRetrying(error) || isUnknownBlock(error))) throw error;
        if (limits.deadlineMs !== undefined && clock.now() >= limits.deadlineMs) throw error;
        // A limit is waited for where the next request is made.
        const waits = error instanceof TransportError && error.limited;
        if (!waits && !(moves && isUnknownBlock(error)))
          await sleep(clock, Math.min(FIRST_RETRY_MS * 2 ** (tried - 1), MAX_RETRY_MS));
      }
    }
  }

  /** The first answer of two nodes, of which the second is asked only when the first is slow. */
  function hedged(method: string, params: readonly unknown[], limits: RequestOptions, first: Node, second: Node) {
    const afterMs = Math.min(Math.max(first.latencyMs() * SLOW, MIN_HEDGE_MS), MAX_HEDGE_MS);
    return new Promise<unknown>((resolve, reject) => {
      let open = 1;
      const ask = async (node: Node) => node.request(method, params, limits);
      const cancel = clock.after(afterMs, () => {
        open += 1;
        ask(second).then(resolve, failed);
      });
      const failed = (error: unknown) => {
        cancel();
        open -= 1;
        if (open === 0) reject(error);
      };
      ask(first).then((answer) => {
        cancel();
        resolve(answer);
      }, failed);
    });
  }

  function askAny(method: string, params: readonly unknown[], limits: RequestOptions): Promise<unknown> {
    return insist(
      async (attempt) => {
        const order = ranked();
        const first = order[attempt % order.length]!;
        const second = order[(attempt + 1) % order.length]!;
        if (first === second || !second.usable()) return first.request(method, params, limits);
        return hedged(method, params, limits, first, second);
      },
      limits,
      nodes.length > 1,
    );
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
      await compareHeads(ranked(), record.blockTimeMs);
      if (!closed) look();
    });
  }

  if (nodes.length > 1) look();

  return {
    followed: view((method, params, limits = {}) => {
      const node = leader;
      return insist(async () => node.request(method, params, limits), limits, false);
    }),
    any: view((method, params, limits = {}) => askAny(method, params, limits)),
    other: view((method, params, limits = {}) => {
      const node = ranked().find((candidate) => candidate !== leader && candidate.usable()) ?? leader;
      return insist(async () => node.request(method, params, limits), limits, false);
    }),
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
      const limits = { attempts: 1, timeoutMs: Math.max(record.blockTimeMs / 4, 250) };
      const asked = nodes
        .filter((node) => node !== leader && !node.lies())
        .map(async (node) => {
          try {
            const answer = await node.request("eth_getBlockByHash", [header.hash, false], limits);
            return parseHeaderOrNone(answer)?.hash === header.hash;
          } catch {
            return false;
          }
        });
      return 1 + (await Promise.all(asked)).filter(Boolean).length >= quorum;
    },
    quorum,
    panel: () =>
      nodes
        .filter((node) => node.usable())
        .map((node) => {
          const ask: Provider["request"] = (method, params, limits = {}) =>
            insist(async () => node.request(method, params, limits), limits, false);
          return { name: node.name, followed: node === leader, provider: view(ask) };
        }),
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
