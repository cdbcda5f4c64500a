import type { BlockRef } from "../../domain/block.ts";
import type { Call } from "../../market/chain-reader.ts";
import type { BlockMemo, BlockMemory } from "./block-memory.ts";

/** Calls that are remembered to have failed; the oldest are forgotten. */
const MAX_FAILED = 10_000;
/**
 * Calls at one block that get all gas of the node although they ran out of what failing calls get. Contracts that burn gas cost no
 * more requests than that.
 */
const MAX_TURNS = 4;
/** Blocks that a call which failed with all gas waits until it gets all gas again: at first, and at most, doubling in between. */
const [FIRST_WAIT, MAX_WAIT] = [1n, 4_096n];

/** Failure of a call in a batch and alone. */
interface Failure {
  /** Block from which on it may have all gas of the node again. */
  readonly next: bigint;
  /** Blocks that it waits after its next failure with all gas. */
  readonly wait: bigint;
}

/**
 * Calls that failed in a batch and alone. They are made apart until they work: anybody's contract may burn the gas of all others
 * in a batch, which then have to be made one by one, with every block.
 */
export class FailedCalls {
  readonly #failures: BlockMemo<string, Failure>;
  /** Turns that are left at a block. */
  #turns = { hash: "0x", left: 0 };

  constructor(memory: BlockMemory) {
    this.#failures = memory.memo({ most: MAX_FAILED });
  }

  has(call: Call, at: BlockRef): boolean {
    return this.#failures.size > 0 && this.#failures.get(keyOf(call), at) !== undefined;
  }

  delete(call: Call): void {
    this.#failures.delete(keyOf(call));
  }

  /** Remembers a failure, with all gas of the node or without. After one with all it waits for longer each time. */
  add(call: Call, at: BlockRef, { hadAllGas }: { readonly hadAllGas: boolean }): void {
    const { next, wait } = this.#failureOf(call, at);
    const doubled = 2n * wait < MAX_WAIT ? 2n * wait : MAX_WAIT;
    const failure = hadAllGas ? { next: at.number + wait, wait: doubled } : { next, wait };
    this.#failures.set(keyOf(call), failure, at);
  }

  /** Calls, of those that ran out of gas, whose turn it is to have all of it: the fewer failures, the sooner. */
  turnsOf(starved: readonly Call[], at: BlockRef): readonly Call[] {
    const waitOf = (call: Call) => Number(this.#failureOf(call, at).wait);
    return starved.toSorted((one, other) => waitOf(one) - waitOf(other)).filter((call) => this.takeTurn(call, at));
  }

  /** Whether it is a call's turn to have all gas at a block, which then is taken. */
  takeTurn(call: Call, at: BlockRef): boolean {
    if (this.#turns.hash !== at.hash) this.#turns = { hash: at.hash, left: MAX_TURNS };
    if (this.#failureOf(call, at).next > at.number || this.#turns.left === 0) return false;
    this.#turns.left--;
    return true;
  }

  #failureOf(call: Call, at: BlockRef): Failure {
    return this.#failures.get(keyOf(call), at) ?? { next: at.number, wait: FIRST_WAIT };
  }
}

function keyOf({ to, data }: Call): string {
  return `${to}${data}`;
}
