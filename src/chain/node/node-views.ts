import type { Clock } from "../rpc/clock.ts";
import type { Lane } from "../rpc/pace.ts";
import type { Provider } from "../rpc/provider.ts";
import { insist } from "../rpc/retry.ts";
import { hedged } from "./hedged.ts";
import type { Node } from "./node.ts";

/** Several nodes seen as one, which insists on answers until it is closed. */
export interface NodeViews {
  /** Asks the node that `choose` names when a request is made. */
  of(choose: () => Node, lane: Lane): Provider;
  /** Asks the best of all, two when the first is slow, and another one with each attempt. */
  readonly any: Provider;
  isClosed(): boolean;
}

/** `ranked`: the nodes in the order in which they are worth asking; never none. */
export function createNodeViews(
  nodes: readonly Node[],
  ranked: () => readonly Node[],
  clock: Clock,
  onClose: () => void,
): NodeViews {
  let closed = false;
  const isClosed = () => closed;

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
    onClose();
    for (const { provider } of nodes) provider.close();
  }

  return {
    of: (choose, lane) =>
      view((method, params, given = {}) => {
        const node = choose();
        const limits = { ...given, lane };
        return insist(() => node.request(method, params, limits), limits, { clock, isClosed, moves: false });
      }),
    any: view((method, params, limits = {}) => {
      const attempt = async (tried: number) => {
        const order = ranked();
        const first = order[tried % order.length]!;
        const second = order[(tried + 1) % order.length]!;
        if (first === second || !second.usable()) return first.request(method, params, limits);
        return hedged([method, params, limits], first, second, clock);
      };
      return insist(attempt, limits, { clock, isClosed, moves: nodes.length > 1 });
    }),
    isClosed,
  };
}

/** Nodes in the order in which they are worth asking. Liars are not, unless all are. */
export function rankedNodes(nodes: readonly Node[]): readonly Node[] {
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
