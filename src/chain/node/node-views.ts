import type { Clock } from "../rpc/clock.ts";
import type { Provider } from "../rpc/provider.ts";
import type { Lane } from "../rpc/request-rate.ts";
import { retry } from "../rpc/retry.ts";
import { hedged } from "./hedged.ts";
import type { Node } from "./node.ts";

/** Several nodes seen as one, which insists on answers until it is closed. */
export interface NodeViews {
  /** Asks the node that `choose` names when a request is made. */
  of(choose: (method: string) => Node, lane: Lane): Provider;
  /** Asks the best of all, two when the first is slow, and another one with each attempt. */
  readonly any: Provider;
  /**
   * Asks the node that `first` names and, where that one cannot answer, the others: for work that nobody waits for. It goes
   * behind what callers wait for at none of them, and to two at a time at none.
   */
  patient(first: () => Node): Provider;
  isClosed(): boolean;
}

/** `ranked`: the nodes in the order in which they are worth asking for a method; never none. */
export function createNodeViews(
  nodes: readonly Node[],
  ranked: (method: string) => readonly Node[],
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

  const inOrder = (orderFor: OrderFor, hedges: boolean) =>
    requestInOrder(orderFor, hedges, { nodes: nodes.length, clock, isClosed });

  return {
    of: (choose, lane) =>
      view((method, params, given = {}) => {
        const node = choose(method);
        const limits = { ...given, lane };
        return retry(() => node.request(method, params, limits), limits, { clock, isClosed, nodes: 1 });
      }),
    any: view(inOrder(ranked, true)),
    patient(first) {
      const fromFirst = (method: string) => {
        const node = first();
        return node.serves(method) ? [node, ...ranked(method).filter((other) => other !== node)] : ranked(method);
      };
      return view(inOrder(fromFirst, false));
    },
    isClosed,
  };
}

/** The nodes to ask for a method, in turn. */
type OrderFor = (method: string) => readonly Node[];

/** Each attempt at the node of its turn, in an order that is made once: no node is asked twice before all were. */
function requestInOrder(
  orderFor: OrderFor,
  hedges: boolean,
  trying: { readonly nodes: number; readonly clock: Clock; readonly isClosed: () => boolean },
): Provider["request"] {
  return (method, params, limits = {}) => {
    let order: readonly Node[] | undefined;
    const attempt = async (tried: number) => {
      if (tried % trying.nodes === 0) order = undefined;
      order ??= orderFor(method);
      const first = order[tried % order.length]!;
      const second = order[(tried + 1) % order.length]!;
      const isWorthIt = hedges && first !== second && second.usable() && second.serves(method);
      return isWorthIt
        ? hedged([method, params, limits], first, second, trying.clock)
        : first.request(method, params, limits);
    };
    return retry(attempt, limits, trying);
  };
}

/**
 * Nodes in the order in which they are worth asking, for a method where one is named: those that lack it come last, also
 * behind nodes that rest. Liars are not worth it, unless all are.
 */
export function rankedNodes(nodes: readonly Node[], method?: string): readonly Node[] {
  const honest = nodes.filter((node) => !node.lies());
  return (honest.length > 0 ? honest : nodes)
    .map((node, index) => ({ node, index, usable: node.usable(), serves: method === undefined || node.serves(method) }))
    .sort((a, b) => {
      if (a.serves !== b.serves) return a.serves ? -1 : 1;
      if (a.usable !== b.usable) return a.usable ? -1 : 1;
      if (!a.usable) return a.node.restsUntil() - b.node.restsUntil() || a.index - b.index;
      return a.node.latencyMs() - b.node.latencyMs() || a.index - b.index;
    })
    .map(({ node }) => node);
}
