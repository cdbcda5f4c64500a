import type { Session } from "../session/session.ts";

/**
 * Edges at a token of which a route touches one where it touches others there: what comes to a token leaves it, and what
 * leaves it has come there. Of a deep pool that a few others need a charge counts a small part of a touch, a route all of
 * it: a multiplier of this tie is taken off what the edges asked for are charged, and those that need one bear it.
 */
export interface Tie {
  readonly node: number;
  /** Whether it asks for an edge into the token, or for one out of it. */
  readonly isInto: boolean;
  /** The slots that it asks for; all on that side of the token where there are none. */
  readonly asked?: ReadonlySet<number> | undefined;
  /** Parts of the multiplier that edges on the other side bear, by slot, together 1; none where every route needs it. */
  readonly bearers: ReadonlyMap<number, number>;
  /** In bought units. */
  readonly multiplier: number;
}

/** What tells ties from each other. */
function nameOfTie({ node, isInto }: Pick<Tie, "node" | "isInto">): number {
  return 2 * node + (isInto ? 1 : 0);
}

/** Where each of these ties stands among them. */
export function numbersOfTies(ties: readonly Tie[]): (node: number, isInto: boolean) => number | undefined {
  const numbers = new Map(ties.map((tie, k) => [nameOfTie(tie), k]));
  return (node, isInto) => numbers.get(nameOfTie({ node, isInto }));
}

/** The part of a tie's multiplier that the edge in a slot bears, one of the other side. */
export function partBorne({ bearers }: Tie, slot: number): number {
  return bearers.get(slot) ?? 0;
}

/** Whether all routes need what a tie asks for. */
export function isOfEveryRoute({ bearers }: Tie): boolean {
  return bearers.size === 0;
}

/** Whether a tie asks for the edge in a slot on its side of its token. */
export function asksFor({ asked }: Tie, slot: number): boolean {
  return asked === undefined || asked.has(slot);
}

/** By tie those that ask for edges that it asks for as well: out of the one's token, into the other's. */
export function crossingTies(session: Session, ties: readonly Tie[]): number[][] {
  const { start, to } = session.graph;
  const numberOf = numbersOfTies(ties);
  const crossing: number[][] = ties.map(() => []);
  ties.forEach((tie, k) => {
    const { node, isInto } = tie;
    if (isInto) return;
    const others = new Set<number>();
    const end = session.endOf(node);
    session.steps += end - (start[node] as number);
    for (let slot = start[node] as number; slot < end; slot++) {
      const other = numberOf(to[slot] as number, true);
      if (other !== undefined && asksFor(tie, slot) && asksFor(ties[other] as Tie, slot)) others.add(other);
    }
    for (const other of others) {
      crossing[k]?.push(other);
      crossing[other]?.push(k);
    }
  });
  return crossing;
}
