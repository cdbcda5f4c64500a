import type { Address, Hex } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { Call } from "../../market/chain-reader.ts";
import type { BlockMemo, BlockMemory } from "./block-memory.ts";
import { quantityParameter } from "./codec.ts";
import { inParallel } from "./in-parallel.ts";
import { decodeAggregate3, encodeAggregate3 } from "./multicall.ts";
import { type PatientCall, present } from "./patient-calls.ts";
import type { RequestOptions } from "./provider.ts";

/** Bounds of one aggregate3 call: what public nodes take without complaint. */
const MAX_CALLS = 400;
const MAX_CALLDATA_CHARS = 200_000;
const PARALLEL_SINGLE_CALLS = 8;
const PARALLEL_BATCHES = 4;
/** Gas of a call that has failed before with all that the node gives: no honest answer takes more. */
const APART_GAS = 5_000_000n;
/** Calls that are remembered to have failed; the oldest are forgotten. */
const MOST_APART = 10_000;

type Answer = Hex | undefined;

/** Makes many calls in few requests. An answer is undefined where its call fails by itself. */
export class BatchedCalls {
  readonly #call: PatientCall;
  readonly #multicall3: Address;
  /**
   * Calls that failed in a batch and alone. They are made apart until they work: anybody's contract may burn the gas of all
   * others in a batch, which then have to be made one by one, with every block.
   */
  readonly #apart: BlockMemo<string, true>;

  constructor(call: PatientCall, multicall3: Address, memory: BlockMemory) {
    this.#call = call;
    this.#multicall3 = multicall3;
    this.#apart = memory.memo({ most: MOST_APART });
  }

  /** Each by itself. */
  singly(calls: readonly Call[], at: BlockRef, limits?: RequestOptions): Promise<readonly Answer[]> {
    return inParallel(calls, PARALLEL_SINGLE_CALLS, (call) => this.one(call, at, limits));
  }

  one(call: Call, at: BlockRef, limits?: RequestOptions, gas?: bigint): Promise<Answer> {
    const limit = gas === undefined ? {} : { gas: quantityParameter(gas) };
    return this.#call({ call: { ...call, ...limit }, at, limits, decode: present });
  }

  /** Through Multicall3, which has to be there. */
  async together(calls: readonly Call[], at: BlockRef, limits?: RequestOptions): Promise<readonly Answer[]> {
    const isApart = calls.map((call) => this.#apart.size > 0 && this.#apart.get(keyOf(call), at) === true);
    const together = calls.filter((_, index) => !isApart[index]);
    const apart = calls.filter((_, index) => isApart[index]);
    const [ofBatches, ofOthers] = await Promise.all([
      inParallel(batches(together), PARALLEL_BATCHES, (part) => this.#batch(part, at, limits)),
      inParallel(apart, PARALLEL_SINGLE_CALLS, (call) => this.#alone(call, at, limits)),
    ]);
    const [answers, others] = [ofBatches.flat().values(), ofOthers.values()];
    return isApart.map((wasApart) => (wasApart ? others : answers).next().value);
  }

  async #batch(calls: readonly Call[], at: BlockRef, limits?: RequestOptions): Promise<readonly Answer[]> {
    const call = { to: this.#multicall3, data: encodeAggregate3(calls) };
    const decode = (answer: Hex) => decodeAggregate3(answer, calls.length);
    const results = await this.#call({ call, at, limits, decode });
    if (results === undefined) {
      if (calls.length === 1) return [await this.#repeated(calls[0]!, at, limits)];
      const middle = calls.length >> 1;
      const first = await this.#batch(calls.slice(0, middle), at, limits);
      return [...first, ...(await this.#batch(calls.slice(middle), at, limits))];
    }
    // A failure inside a batch may be a neighbour's that burnt the gas: it is believed only when it repeats alone.
    return inParallel(results, PARALLEL_SINGLE_CALLS, (result, index) =>
      result.success ? present(result.returnData) : this.#repeated(calls[index]!, at, limits),
    );
  }

  /** A call that has failed in a batch, made alone. */
  async #repeated(call: Call, at: BlockRef, limits?: RequestOptions): Promise<Answer> {
    const answer = await this.one(call, at, limits);
    if (answer === undefined) this.#apart.set(keyOf(call), true, at);
    return answer;
  }

  /** One of the calls that are made apart; one that works goes with the others again. */
  async #alone(call: Call, at: BlockRef, limits?: RequestOptions): Promise<Answer> {
    const answer = await this.one(call, at, limits, APART_GAS);
    if (answer !== undefined) this.#apart.delete(keyOf(call));
    return answer;
  }
}

function keyOf({ to, data }: Call): string {
  return `${to}${data}`;
}

function batches(calls: readonly Call[]): readonly (readonly Call[])[] {
  const parts: Call[][] = [];
  let chars = 0;
  for (const call of calls) {
    const last = parts.at(-1);
    if (last === undefined || last.length >= MAX_CALLS || chars + call.data.length > MAX_CALLDATA_CHARS) {
      parts.push([call]);
      chars = 0;
    } else {
      last.push(call);
    }
    chars += call.data.length;
  }
  return parts;
}
