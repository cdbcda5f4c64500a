import type { Address } from "../domain/address.ts";
import type { Ratio } from "../domain/ratio.ts";

/** One direction of a pool as a step between tokens. */
export interface Step {
  /** Sold base units that move the price to DEPTH_AT. */
  readonly depth: number;
  readonly spot: Ratio;
  readonly spotFloat: number;
}

/** Path from the native token to another one. */
export interface Reached {
  readonly hops: number;
  /** Wei that move the price of the shallowest pool on the way to DEPTH_AT. */
  readonly widthWei: number;
  readonly ratePerWei: number;
  readonly via: { readonly token: Address; readonly step: Step; readonly poolId: string } | undefined;
}

/** A token on the way, with one path to it. */
interface Candidate {
  readonly token: Address;
  readonly reached: Reached;
}

/** A queue that gives the widest path first, and among equals the same one whatever order they came in. */
export function createWidestFirst(): { push(candidate: Candidate): void; pop(): Candidate | undefined } {
  const heap: Candidate[] = [];

  function swap(a: number, b: number): void {
    const held = heap[a]!;
    heap[a] = heap[b]!;
    heap[b] = held;
  }

  return {
    push(candidate) {
      let at = heap.push(candidate) - 1;
      while (at > 0) {
        const parent = (at - 1) >> 1;
        if (!before(heap[at]!, heap[parent]!)) break;
        swap(at, parent);
        at = parent;
      }
    },
    pop() {
      const first = heap[0];
      const last = heap.pop();
      if (first === undefined || last === undefined || heap.length === 0) return first;
      heap[0] = last;
      for (let at = 0; ; ) {
        let least = at;
        for (const child of [2 * at + 1, 2 * at + 2]) {
          if (child < heap.length && before(heap[child]!, heap[least]!)) least = child;
        }
        if (least === at) return first;
        swap(at, least);
        at = least;
      }
    },
  };
}

/** Whether `a` comes before `b`: the wider first, and of equals one that does not depend on who asks. */
export function before(a: Candidate, b: Candidate): boolean {
  if (a.reached.widthWei !== b.reached.widthWei) return a.reached.widthWei > b.reached.widthWei;
  if (a.token !== b.token) return a.token < b.token;
  return (a.reached.via?.poolId ?? "") < (b.reached.via?.poolId ?? "");
}
