import type { MarketGraph } from "../pool-store.ts";
import { differenceOf } from "./difference.ts";
import type { FeedEncoder, FeedState, FeedTerms, MarketRules, MarketState } from "./feed-state.ts";

/** States that wait to be sent: of more than so many all but the newest are passed over. */
const MAX_PENDING = 64;

/** Names the update that some bytes belong to. */
export interface UpdatePart {
  /** The state that it leads to. */
  readonly state: FeedState;
  /** Number of the state that it differs from; 0: it is whole. */
  readonly from: number;
  readonly isLast: boolean;
}

/** Takes the bytes of an update, or of a part of it. */
export type FollowerPort = (bytes: Uint8Array, part: UpdatePart) => void;

/** The market's states, one after the other, sent to whoever follows: the newest whole, and then what differs. */
export class Feed {
  readonly #encoder: FeedEncoder;
  readonly #terms: FeedTerms;
  readonly #onDefect: (error: unknown) => void;
  readonly #followers = new Set<FollowerPort>();
  readonly #ofGraph = new WeakMap<MarketGraph, FeedState>();
  #newest: FeedState | undefined;
  /** The state that the followers have been sent. */
  #sent: FeedState | undefined;
  #pending: FeedState[] = [];
  #isSending = false;
  /** The last state that was told whole: followers that begin together are told together. */
  #whole: { readonly state: FeedState; readonly parts: Promise<readonly Uint8Array[]> } | undefined;

  constructor(encoder: FeedEncoder, terms: FeedTerms, onDefect: (error: unknown) => void) {
    this.#encoder = encoder;
    this.#terms = terms;
    this.#onDefect = onDefect;
  }

  /** The state that has this graph; undefined where none was published. */
  stateOf(graph: MarketGraph): FeedState | undefined {
    return this.#ofGraph.get(graph);
  }

  /** Makes a state the newest one, unless it is. What is sent is encoded a little at a time. */
  publish(market: MarketState, { off, keptOut }: MarketRules): FeedState {
    const last = this.#newest;
    if (last?.market.graph === market.graph && last.off === off && last.keptOut === keptOut) return last;
    const state: FeedState = { sequence: (last?.sequence ?? 0) + 1, market, off, keptOut };
    this.#newest = state;
    this.#ofGraph.set(market.graph, state);
    this.#pending.push(state);
    if (this.#pending.length > MAX_PENDING) this.#pending = [state];
    if (!this.#isSending) void this.#sendPending();
    return state;
  }

  /** Sends the newest state whole, once there is one, and every update after it. Returns what ends that. */
  follow(port: FollowerPort): () => void {
    let isOver = false;
    void this.#begin(port, () => isOver).catch(this.#onDefect);
    return () => {
      isOver = true;
      this.#followers.delete(port);
    };
  }

  async #begin(port: FollowerPort, isOver: () => boolean): Promise<void> {
    let at: FeedState | undefined;
    while (at !== this.#sent) {
      const next = this.#sent as FeedState;
      const parts = await (at === undefined ? this.#wholeOf(next) : this.#partsOf(at, next));
      if (isOver()) return;
      send(parts, { before: at, after: next }, [port]);
      at = next;
    }
    this.#followers.add(port);
  }

  #wholeOf(state: FeedState): Promise<readonly Uint8Array[]> {
    if (this.#whole?.state !== state) this.#whole = { state, parts: this.#partsOf(undefined, state) };
    return this.#whole.parts;
  }

  async #sendPending(): Promise<void> {
    this.#isSending = true;
    for (let next = this.#pending.shift(); next !== undefined; next = this.#pending.shift()) {
      try {
        const parts = this.#followers.size === 0 ? [] : await this.#partsOf(this.#sent, next);
        send(parts, { before: this.#sent, after: next }, this.#followers);
        this.#sent = next;
        this.#whole = undefined;
      } catch (error) {
        this.#onDefect(error);
      }
    }
    this.#isSending = false;
  }

  async #partsOf(before: FeedState | undefined, after: FeedState): Promise<readonly Uint8Array[]> {
    const parts: Uint8Array[] = [];
    for (const part of this.#encoder.encode(differenceOf(before, after, this.#terms))) {
      if (parts.length > 0) await new Promise((resolve) => setImmediate(resolve));
      parts.push(part);
    }
    return parts;
  }
}

function send(
  parts: readonly Uint8Array[],
  { before, after }: { readonly before: FeedState | undefined; readonly after: FeedState },
  ports: Iterable<FollowerPort>,
): void {
  const of = { state: after, from: before?.sequence ?? 0 };
  for (const port of ports)
    for (const [index, part] of parts.entries()) port(part, { ...of, isLast: index === parts.length - 1 });
}
