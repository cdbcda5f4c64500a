import { type Address, toAddress } from "../../domain/address.ts";

/** Depths are below 2^255 wei. */
const MAX_BITS = 255;
const PLACE = /^[0-9a-f]{2}0x[0-9a-f]{40}$/;

/**
 * A token's place among all: the deepest first, by the power of two below its depth, and by address among equals. A place
 * means the same in every process and at every block.
 */
export function placeOf(token: Address, depthWei: bigint): string {
  const bits = depthWei > 0n ? Math.min(depthWei.toString(2).length, MAX_BITS) : 0;
  return (MAX_BITS - bits).toString(16).padStart(2, "0") + token;
}

/** Whether a text is a place. */
export function isPlace(text: string): boolean {
  return PLACE.test(text);
}

/** Tokens in the order of their places. */
export class TokenRanking {
  readonly #sorted: string[] = [];
  readonly #places = new Map<Address, string>();

  place(token: Address): string | undefined {
    return this.#places.get(token);
  }

  /** Puts a token at its place; undefined takes it away. */
  put(token: Address, place: string | undefined): void {
    const before = this.#places.get(token);
    if (before === place) return;
    if (before !== undefined) this.#sorted.splice(this.#indexOf(before), 1);
    if (place === undefined) this.#places.delete(token);
    else {
      this.#places.set(token, place);
      this.#sorted.splice(this.#indexOf(place), 0, place);
    }
  }

  /** The next `most` places behind one, which may be nobody's; from the first without it. */
  after(place: string | undefined, most: number): readonly string[] {
    const begin = place === undefined ? 0 : this.#indexOf(`${place}~`);
    return this.#sorted.slice(begin, begin + most);
  }

  /** Number of the first place that is not before one. */
  #indexOf(place: string): number {
    let [low, high] = [0, this.#sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#sorted[middle]! < place) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** The token at a place. */
export function tokenAt(place: string): Address {
  return toAddress(place.slice(2));
}
