import type { Address, Hex } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { Call } from "../../market/chain-reader.ts";
import type { BlockMemory } from "./block-memory.ts";
import {
  callsCode,
  decodeCallsCode,
  FAILING_CALL_GAS,
  FAILING_GAS,
  failingCallsCode,
  MAX_BY_CODE,
  MAX_BYTES_BY_CODE,
  MAX_FAILING,
  MAX_FAILING_BYTES,
  MAX_FAILING_DATA,
  type Outcome,
  outcomesIn,
} from "./calls-by-code.ts";
import { quantityParameter } from "./codec.ts";
import { FailedCalls } from "./failed-calls.ts";
import { inParallel } from "./in-parallel.ts";
import { type CallResult, decodeAggregate3, encodeAggregate3 } from "./multicall.ts";
import type { RequestOptions } from "./provider.ts";
import { MalformedAnswerError } from "./provider-errors.ts";
import { type PatientCall, present, type SingleCall } from "./retried-calls.ts";

/** Limits of one batch: number of calls, and characters of their calldata. */
interface BatchBounds {
  readonly maxCalls: number;
  readonly maxCalldataChars: number;
}

interface Aggregator extends BatchBounds {
  call(calls: readonly Call[]): SingleCall<unknown>["call"];
  decode(answer: Hex, count: number): readonly CallResult[];
}

/** Through Multicall3. The bounds are what public nodes take without complaint. */
const byMulticall = (multicall3: Address): Aggregator => ({
  maxCalls: 400,
  maxCalldataChars: 200_000,
  call: (calls) => ({ to: multicall3, data: encodeAggregate3(calls) }),
  decode: decodeAggregate3,
});

/** By creation code, which nodes run that know of no such contract. */
const BY_CODE: Aggregator = {
  maxCalls: MAX_BY_CODE,
  maxCalldataChars: 2 * MAX_BYTES_BY_CODE,
  call: (calls) => ({ data: callsCode(calls) }),
  decode: decodeCallsCode,
};
const PARALLEL_SINGLE_CALLS = 8;
const PARALLEL_BATCHES = 4;
/** Limits of a batch of calls that are tried with gas of their own. */
const OF_FAILING: BatchBounds = { maxCalls: MAX_FAILING, maxCalldataChars: 2 * MAX_FAILING_BYTES };
/** PeriodicTask of the queue of promises for which calls are collected: those of sources that begin together come within. */
const TURNS_TO_GATHER = 16;

type Answer = Hex | undefined;

/** Calls at one block that are about to be made. */
interface Gathering {
  readonly calls: Call[];
  readonly answers: Promise<readonly Answer[]>;
}

/** Aggregator and block of a batch of calls. */
interface BatchContext {
  readonly by: Aggregator;
  readonly at: BlockRef;
  readonly limits?: RequestOptions | undefined;
}

/** Makes many calls in few requests. An answer is undefined where its call fails by itself. */
export class BatchedCalls {
  readonly #call: PatientCall;
  readonly #byMulticall: Aggregator;
  readonly #failed: FailedCalls;
  readonly #waiting = new Map<Hex, Gathering>();

  constructor(call: PatientCall, multicall3: Address, memory: BlockMemory) {
    this.#call = call;
    this.#byMulticall = byMulticall(multicall3);
    this.#failed = new FailedCalls(memory);
  }

  /** Each by itself. */
  singly(calls: readonly Call[], at: BlockRef, limits?: RequestOptions): Promise<readonly Answer[]> {
    return inParallel(calls, PARALLEL_SINGLE_CALLS, (call) => this.one(call, at, limits));
  }

  one(call: Call, at: BlockRef, limits?: RequestOptions, gas?: bigint): Promise<Answer> {
    const { to, data } = call;
    const limit = gas === undefined ? {} : { gas: quantityParameter(gas) };
    return this.#call({ call: { to, data, ...limit }, at, limits, decode: present });
  }

  /**
   * Many in one request, through Multicall3 or by code. What several ask for at one block in the same moment goes together:
   * the sources of a chain read their pools at once, and a request costs what it costs.
   */
  together(
    calls: readonly Call[],
    { at, hasMulticall, limits }: { at: BlockRef; hasMulticall: boolean; limits?: RequestOptions | undefined },
  ): Promise<readonly Answer[]> {
    const by = hasMulticall ? this.#byMulticall : BY_CODE;
    if (limits !== undefined) return this.#now(calls, { by, at, limits });
    const waiting = this.#waiting.get(at.hash) ?? this.#gather(by, at);
    const first = waiting.calls.length;
    waiting.calls.push(...calls);
    return waiting.answers.then((answers) => answers.slice(first, first + calls.length));
  }

  /** Collects calls at a block for a moment, and makes them. */
  #gather(by: Aggregator, at: BlockRef): Gathering {
    const calls: Call[] = [];
    const moment = async () => {
      for (let turn = 0; turn < TURNS_TO_GATHER; turn++) await Promise.resolve();
      this.#waiting.delete(at.hash);
      return this.#now(calls, { by, at });
    };
    const gathering = { calls, answers: moment() };
    this.#waiting.set(at.hash, gathering);
    return gathering;
  }

  async #now(calls: readonly Call[], context: BatchContext): Promise<readonly Answer[]> {
    const isForeignCall = calls.map((call) => call.isForeignCall === true);
    const [foreign, others] = await Promise.all(
      [true, false].map((kind) =>
        this.#ofOneGroup(
          calls.filter((_, index) => isForeignCall[index] === kind),
          context,
        ),
      ),
    );
    return inOrder(isForeignCall, foreign ?? [], others ?? []);
  }

  /** Calls of which none goes to a foreign contract, or all do. */
  async #ofOneGroup(calls: readonly Call[], context: BatchContext): Promise<readonly Answer[]> {
    if (calls.length <= 1) return this.singly(calls, context.at, context.limits);
    const isApart = calls.map((call) => this.#failed.has(call, context.at));
    const [together, apart] = [calls.filter((_, index) => !isApart[index]), calls.filter((_, index) => isApart[index])];
    const [ofBatches, ofOthers] = await Promise.all([
      inParallel(batches(together, context.by), PARALLEL_BATCHES, (part) => this.#batch(part, context)),
      this.#again(apart, context),
    ]);
    return inOrder(isApart, ofOthers, ofBatches.flat());
  }

  /** One request, or several where it is too much for one; `repeat` makes those that fail in it once more. */
  async #batch(
    calls: readonly Call[],
    context: BatchContext,
    repeat = (failed: readonly Call[]) => this.#again(failed, context),
  ): Promise<readonly Answer[]> {
    const { by, at, limits } = context;
    const decode = (answer: Hex) => by.decode(answer, calls.length);
    const results = await this.#call({ call: by.call(calls), at, limits, decode });
    if (results === undefined) {
      if (calls.length === 1) return repeat(calls);
      const middle = calls.length >> 1;
      const first = await this.#batch(calls.slice(0, middle), context, repeat);
      return [...first, ...(await this.#batch(calls.slice(middle), context, repeat))];
    }
    // A failure inside a batch may be a neighbour's that burnt the gas: it is believed only when it repeats with gas of its own.
    const failed = calls.filter((_, index) => !results[index]!.success);
    const again = (await repeat(failed)).values();
    return results.map((result) => (result.success ? present(result.returnData) : again.next().value));
  }

  /**
   * Calls that have failed in a batch, now or before: tried with gas of their own. Those that work then are made once more
   * without those that fail. Those that fail in a batch even then are made alone: contracts that know how they are called could
   * fail one by one, and take a batch each. Some of those that ran out of gas are made alone with all gas of the node.
   */
  async #again(calls: readonly Call[], context: BatchContext): Promise<readonly Answer[]> {
    const { by, at, limits } = context;
    const isTried = (call: Call) => calls.length > 1 && isSmall(call);
    const small = calls.filter(isTried);
    const tried = (
      await inParallel(batches(small, OF_FAILING), PARALLEL_BATCHES, (part) => this.#try(part, at, limits))
    )
      .flat()
      .values();
    const outcomes = calls.map((call) => (isTried(call) ? tried.next().value : undefined));
    const isWorking = outcomes.map((outcome) => outcome !== "failed" && outcome !== "starved");
    const working = calls.filter((_, index) => isWorking[index]);
    const starved = this.#failed.turnsOf(
      calls.filter((_, index) => outcomes[index] === "starved"),
      at,
    );
    const alone = (each: readonly Call[]) =>
      inParallel(each, PARALLEL_SINGLE_CALLS, (call) => this.#alone(call, at, limits));
    const together = (each: readonly Call[]) =>
      inParallel(batches(each, by), PARALLEL_BATCHES, (part) => this.#batch(part, context, alone));
    const [ofStarved, ofWorking] = await Promise.all([
      Promise.all(starved.map(async (call) => [call, await this.#withAllGas(call, at, limits)] as const)),
      working.length > 1 ? together(working).then((parts) => parts.flat()) : alone(working),
    ]);
    const [fed, answers] = [new Map(ofStarved), ofWorking.values()];
    return calls.map((call, index) => {
      const answer = isWorking[index] ? answers.next().value : fed.get(call);
      if (answer === undefined) this.#failed.add(call, at, { hadAllGas: false });
      else this.#failed.delete(call);
      return answer;
    });
  }

  /** Outcomes of calls, each with gas of its own; undefined if the node does not run the code that tries them. */
  async #try(calls: readonly Call[], at: BlockRef, limits?: RequestOptions): Promise<readonly (Outcome | undefined)[]> {
    const known: Outcome[] = [];
    while (known.length < calls.length) {
      const rest = calls.slice(known.length);
      const call = { data: failingCallsCode(rest), gas: quantityParameter(FAILING_GAS) };
      const outcomes = await this.#call({
        call,
        at,
        limits,
        decode: (answer) => outcomesIn(answer, rest.length),
      }).catch((error: unknown) => {
        if (error instanceof MalformedAnswerError) return undefined;
        throw error;
      });
      const made = outcomes?.filter((outcome) => outcome !== "not made") ?? [];
      if (made.length === 0) return calls.map((_, index) => known[index]);
      known.push(...made);
    }
    return known;
  }

  /** Alone; with a bound where it has failed before, unless it is its turn to have all the gas that the node gives. */
  #alone(call: Call, at: BlockRef, limits?: RequestOptions): Promise<Answer> {
    if (this.#failed.has(call, at) && !this.#failed.takeTurn(call, at))
      return this.one(call, at, limits, FAILING_CALL_GAS);
    return this.#withAllGas(call, at, limits);
  }

  /** Alone, with all gas that the node gives. */
  async #withAllGas(call: Call, at: BlockRef, limits?: RequestOptions): Promise<Answer> {
    const answer = await this.one(call, at, limits);
    if (answer === undefined) this.#failed.add(call, at, { hadAllGas: true });
    return answer;
  }
}

/** Answers in the order of their calls: from the first where a call is set apart, from the second elsewhere. */
function inOrder(isApart: readonly boolean[], apart: readonly Answer[], rest: readonly Answer[]): readonly Answer[] {
  const [first, second] = [apart.values(), rest.values()];
  return isApart.map((each) => (each ? first : second).next().value);
}

function isSmall({ data }: Call): boolean {
  return data.length / 2 <= MAX_FAILING_DATA;
}

function batches(calls: readonly Call[], by: BatchBounds): readonly (readonly Call[])[] {
  const parts: Call[][] = [];
  let chars = 0;
  for (const call of calls) {
    const last = parts.at(-1);
    if (last === undefined || last.length >= by.maxCalls || chars + call.data.length > by.maxCalldataChars) {
      parts.push([call]);
      chars = 0;
    } else {
      last.push(call);
    }
    chars += call.data.length;
  }
  return parts;
}
