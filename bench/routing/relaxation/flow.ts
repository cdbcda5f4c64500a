import type { Edge, PathFlow } from "./network.ts";

/** Rounds in which rates and amounts have to agree. */
const RATE_ROUNDS = 200;
/** Rounds after which rates move by half a step, in logarithms: rates of pools on a cycle may swing otherwise. */
const FULL_STEPS = 20;
/** Relative change of every rate below which they agree. */
const RATE_TOLERANCE = 1e-12;
const WORTH_ROUNDS = 60;
const WORTH_TOLERANCE = 1e-9;

/**
 * Paths that share pools. All that goes through a pool gets its average rate, at whatever place of a path. A bound by prices
 * per token and place counts each pool at its best place, gas included, and so allows every mix of places: this one too.
 * Whether the paths agree on an order of tokens does not matter to it.
 */
export class Flow {
  readonly paths: readonly PathFlow[];
  /** Base units of the bought token. */
  readonly bought: number;
  readonly #edges: readonly Edge[];
  readonly #places: ReadonlyMap<Edge, number>;
  /** Places of each path's edges. */
  readonly #steps: readonly (readonly number[])[];
  /** Base units that each edge sells, over all paths, and its average rate. */
  readonly #sold: Float64Array;
  readonly #rates: Float64Array;

  private constructor(paths: readonly PathFlow[], places: ReadonlyMap<Edge, number>) {
    this.paths = paths;
    this.#places = places;
    this.#edges = [...places.keys()];
    this.#steps = paths.map(({ path }) => path.map((edge) => places.get(edge) as number));
    this.#sold = new Float64Array(places.size);
    this.#rates = Float64Array.from(this.#edges, ({ held, depth }) => held / depth);
    this.bought = this.#findRates() ? this.#sellAll() : Number.NaN;
  }

  /** The flow over some paths; undefined if they use a pool for two directions or its rates are not found. */
  static over(paths: readonly PathFlow[]): Flow | undefined {
    const places = new Map<Edge, number>();
    for (const { path } of paths) for (const edge of path) if (!places.has(edge)) places.set(edge, places.size);
    if (new Set([...places.keys()].map(({ pool }) => pool)).size < places.size) return undefined;
    const flow = new Flow(paths, places);
    return Number.isNaN(flow.bought) ? undefined : flow;
  }

  get edges(): readonly Edge[] {
    return this.#edges;
  }

  /** Gas of each pool once. */
  get gas(): number {
    return this.#edges.reduce((sum, edge) => sum + edge.gas, 0);
  }

  soldTo(edge: Edge): number {
    const place = this.#places.get(edge);
    return place === undefined ? 0 : (this.#sold[place] as number);
  }

  /** Whether no token can be reached from itself over the flow's pools: then all paths agree on one order of tokens. */
  isAcyclic(): boolean {
    let open = this.#edges;
    for (;;) {
      const bought = new Set(open.map(({ to }) => to));
      const left = open.filter(({ from }) => bought.has(from));
      if (left.length === open.length) return left.length === 0;
      open = left;
    }
  }

  /** Growth of what is bought, per unit more that is sold along each path: what others lose by lower rates included. */
  gradient(): readonly number[] {
    const arriving = this.#steps.map((steps, k) => this.#arrivingAt(steps, k));
    const slopes = this.#edges.map(({ held, depth }, i) => -held / (depth + (this.#sold[i] as number)) ** 2);
    let worths = new Float64Array(slopes.length);
    let gradient: readonly number[] = [];
    for (let round = 0; round < WORTH_ROUNDS; round++) {
      const next = new Float64Array(slopes.length);
      gradient = this.#steps.map((steps, k) => {
        let worth = 1;
        for (let j = steps.length - 1; j >= 0; j--) {
          const i = steps[j] as number;
          next[i] = (next[i] as number) + (arriving[k]?.[j] as number) * worth;
          worth = (this.#rates[i] as number) * worth + (worths[i] as number) * (slopes[i] as number);
        }
        return worth;
      });
      const agrees = next.every(
        (worth, i) => Math.abs(worth - (worths[i] as number)) <= WORTH_TOLERANCE * Math.abs(worth),
      );
      worths = next;
      if (agrees) break;
    }
    return gradient;
  }

  #arrivingAt(steps: readonly number[], k: number): readonly number[] {
    let amount = (this.paths[k] as PathFlow).amount;
    return steps.map((i) => {
      const arriving = amount;
      amount *= this.#rates[i] as number;
      return arriving;
    });
  }

  /** Looks for rates at which every pool pays for what it sells; false if they do not settle. */
  #findRates(): boolean {
    for (let round = 0; round < RATE_ROUNDS; round++) {
      this.#sellAll();
      let change = 0;
      for (let i = 0; i < this.#edges.length; i++) {
        const { held, depth } = this.#edges[i] as Edge;
        const [before, rate] = [this.#rates[i] as number, held / (depth + (this.#sold[i] as number))];
        change = Math.max(change, Math.abs(rate / before - 1));
        this.#rates[i] = round > FULL_STEPS ? Math.sqrt(rate * before) : rate;
      }
      if (change < RATE_TOLERANCE) return true;
    }
    return false;
  }

  /** Sells all paths' amounts at the rates, and sums up what each edge sells; what the paths buy. */
  #sellAll(): number {
    this.#sold.fill(0);
    let bought = 0;
    for (let k = 0; k < this.#steps.length; k++) {
      let amount = (this.paths[k] as PathFlow).amount;
      for (const i of this.#steps[k] as readonly number[]) {
        this.#sold[i] = (this.#sold[i] as number) + amount;
        amount *= this.#rates[i] as number;
      }
      bought += amount;
    }
    return bought;
  }
}
