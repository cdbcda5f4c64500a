import type { Address } from "../domain/address.ts";
import { SHARE_ONE } from "../domain/route.ts";
import type { Edge } from "./edges.ts";
import type { PlannedTree } from "./evaluate.ts";
import { buyTokenOf, sellTokenOf, shareOf, type Wrappers, wrapSteps } from "./plan.ts";
import type { Settled } from "./settled.ts";

/** A tree before shares are known: what it gives, in floats. */
interface Branch {
  readonly pool: PlannedTree["pool"];
  readonly direction: PlannedTree["direction"];
  readonly gives: number;
  readonly inputs: readonly Branch[];
}

/** Part of a flow that is left out rather than given a touch of its own. */
const NOTHING = 1e-9;

/**
 * A flow as trees, from the bought token back: each consumer draws on the producers of its token in turn until it has
 * what it takes, so that a producer is touched again only where it serves two consumers.
 */
export function planExactOut(
  { support, sells }: Settled,
  tokens: { readonly sellToken: Address; readonly buyToken: Address },
  source: number,
  sink: number,
  wrappers: Wrappers,
): PlannedTree[] {
  const buys = new Map(support.edges.map((edge, i) => [edge, edge.curve.buyAmountFor(sells[i] as number)]));
  const takes = new Map(support.edges.map((edge, i) => [edge, sells[i] as number]));
  const left = new Map(buys);

  const branch = (edge: Edge, gives: number): Branch => {
    const takesHere = (takes.get(edge) as number) * (gives / (buys.get(edge) as number));
    return { pool: edge.pool, direction: edge.direction, gives, inputs: inputsOf(edge, takesHere) };
  };

  const inputsOf = (edge: Edge, amount: number): Branch[] => {
    const token = sellTokenOf(edge);
    if (edge.from === source) return wrapped([], tokens.sellToken, token, amount, wrappers);
    return draw(edge.from, token, amount);
  };

  const draw = (node: number, token: Address, amount: number): Branch[] => {
    const producers = support.edges.filter((edge) => edge.to === node);
    producers.sort((a, b) => (left.get(b) as number) - (left.get(a) as number));
    const groups = new Map<Address, Branch[]>();
    const total = producers.reduce((sum, edge) => sum + (left.get(edge) as number), 0);
    const trifle = NOTHING * Math.min(amount, total);
    let needed = amount;
    const take = (edge: Edge, part: number): void => {
      if (part <= trifle) return;
      left.set(edge, (left.get(edge) as number) - part);
      needed -= part;
      const produced = buyTokenOf(edge);
      groups.set(produced, [...(groups.get(produced) ?? []), branch(edge, part)]);
    };
    // Whole producers first, the largest that fit: one that serves a single consumer is touched once.
    for (const edge of producers) if ((left.get(edge) as number) <= needed) take(edge, left.get(edge) as number);
    for (const edge of producers) take(edge, Math.min(left.get(edge) as number, needed));
    return [...groups].flatMap(([produced, branches]) => wrapped(branches, produced, token, sumOf(branches), wrappers));
  };

  return withShares(draw(sink, tokens.buyToken, Number.POSITIVE_INFINITY));
}

/** The branches that turn what `inputs` give, or the sold token, into another form of it. */
function wrapped(inputs: readonly Branch[], from: Address, to: Address, gives: number, wrappers: Wrappers): Branch[] {
  return wrapSteps(wrappers, from, to).reduce<Branch[]>(
    (below, { pool, direction }) => [{ pool, direction, gives, inputs: below }],
    [...inputs],
  );
}

function withShares(branches: readonly Branch[]): PlannedTree[] {
  const line = [...branches].sort((a, b) => a.gives - b.gives);
  let left = sumOf(line);
  return line.map(({ pool, direction, gives, inputs }, i) => {
    const share = i === line.length - 1 ? SHARE_ONE : shareOf(gives, left);
    left -= gives;
    return { pool, direction, share, inputs: withShares(inputs) };
  });
}

function sumOf(branches: readonly Branch[]): number {
  return branches.reduce((sum, branch) => sum + branch.gives, 0);
}
