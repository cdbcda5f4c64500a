import type { Edge } from "../edges/edges.ts";
import type { Settled } from "../flow/settled.ts";

/** A look for ways off the flow over these edges, with a parcel that is so large a part of the trade. */
export interface Look {
  readonly edges: readonly Edge[];
  readonly parcel: number;
}

/** What came of edges that were tried together. */
interface Attempt {
  readonly edges: readonly Edge[];
  readonly outcome: Settled | undefined;
}

/**
 * Where climbs of one search towards one goal have come by: looks that were taken, and edges that were tried together. What is
 * found by either is a function of the edges, so that neither has to be done twice.
 */
export class Trail {
  readonly #looks = new Map<number, Look[]>();
  readonly #attempts = new Map<number, Attempt[]>();
  readonly #ends: Settled[] = [];

  /** The flows that climbs ended with. */
  get ends(): readonly Settled[] {
    return this.#ends;
  }

  end(flow: Settled): void {
    this.#ends.push(flow);
  }

  hasSeen({ edges, parcel }: Look): boolean {
    return alike(this.#looks, edges).some((look) => look.parcel === parcel);
  }

  see(look: Look): void {
    add(this.#looks, look);
  }

  /** What comes of these edges, by `attempt` where they have not been tried yet. */
  outcomeOf(edges: readonly Edge[], attempt: () => Settled | undefined): Settled | undefined {
    const [known] = alike(this.#attempts, edges);
    if (known !== undefined) return known.outcome;
    const outcome = attempt();
    add(this.#attempts, { edges, outcome });
    return outcome;
  }
}

/** Those of a list over just these edges, in whatever order. */
function alike<T extends Pick<Look, "edges">>(lists: ReadonlyMap<number, T[]>, edges: readonly Edge[]): T[] {
  const list = lists.get(keyOf(edges))?.filter((one) => one.edges.length === edges.length) ?? [];
  if (list.length === 0) return list;
  const own = new Set(edges);
  return list.filter((one) => one.edges.every((edge) => own.has(edge)));
}

function add<T extends Pick<Look, "edges">>(lists: Map<number, T[]>, one: T): void {
  const key = keyOf(one.edges);
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [one]);
  else list.push(one);
}

/** A number that few sets of edges share. */
function keyOf(edges: readonly Edge[]): number {
  return edges.reduce((sum, { poolNumber }) => sum + poolNumber, 0);
}
