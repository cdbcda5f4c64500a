import type { Hex } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { ChainReader, Log } from "../../market/chain-reader.ts";
import { type Clock, sleep, systemClock } from "./clock.ts";
import { parseArray, parseHeaderOrNone, parseLog, quantityParameter } from "./codec.ts";
import { parsedAnswer } from "./parsed-answer.ts";
import type { Provider } from "./provider.ts";
import {
  AnswerTooLargeError,
  BlockGoneError,
  isAccountRefusal,
  isLimit,
  isPruned,
  isTooMuch,
  MalformedAnswerError,
  RpcError,
  TransportError,
} from "./provider-errors.ts";
import { statedRange } from "./provider-messages.ts";

type LogFilter = Parameters<ChainReader["logs"]>[0];

const FIRST_RANGE = 10_000n;
const MAX_RANGE = 1_000_000n;
/** Ranges that are as wide as the last one after a refusal: a node's limit stays, and each try beyond it costs a request. */
const STEADY_RANGES = 16;
/** A width that the node has named itself is tried beyond more seldom. */
const STEADY_AFTER_TOLD = 1_000;
/** Ranges that are asked for at a time. The node's own limit spaces them further. */
const PARALLEL_RANGES = 8;
/** A range that a node with too many requests does not take is asked for again so often, each time after a longer wait. */
const MAX_WAITS = 8;
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 10_000;

interface Range {
  readonly from: bigint;
  readonly to: bigint;
}

/** Dependencies of range logs. */
interface RangeLogsOptions {
  /** The hash that the follower holds for a height, where it has one. */
  readonly canonicalHash?: ((blockNumber: bigint) => Hex | undefined) | undefined;
  readonly clock?: Clock | undefined;
}

/**
 * Logs of a range of blocks, read in parts, several at a time. A part that is too wide for the node (too many blocks, too
 * many logs, too slow) or for us is made smaller: as small as the node says, or half. One that works is doubled for the next,
 * but for a while after a refusal. Before and after, the node has to hold `to` as canonical: then the range lies on the
 * chain of `to`, on a node that has come that far.
 */
export function createRangeLogs(provider: Provider, options: RangeLogsOptions = {}): ChainReader["logs"] {
  const { canonicalHash = () => undefined, clock = systemClock } = options;
  const width = new RangeWidth();

  async function checkCanonical(to: BlockRef): Promise<void> {
    const params = [quantityParameter(to.number), false];
    const header = await parsedAnswer(provider, "eth_getBlockByNumber", params, parseHeaderOrNone);
    if (header?.hash !== to.hash) {
      throw new BlockGoneError(`block ${to.number} is not ${to.hash} any more`);
    }
  }

  async function logsOf(filter: LogFilter, { from, to }: Range): Promise<readonly Log[]> {
    const wanted = {
      ...(filter.addresses === undefined ? {} : { address: filter.addresses }),
      topics: [filter.topics],
      fromBlock: quantityParameter(from),
      toBlock: quantityParameter(to),
    };
    return parsedAnswer(provider, "eth_getLogs", [wanted], (answer) => {
      const logs = parseArray(answer, "eth_getLogs").map(parseLog);
      verify(logs, { ...filter, fromBlock: from, toBlock: to }, canonicalHash);
      return logs;
    });
  }

  /** The logs of a part, after waiting for a node that has had too many requests. */
  async function patiently(filter: LogFilter, range: Range): Promise<readonly Log[]> {
    for (let waits = 0; ; waits++) {
      try {
        return await logsOf(filter, range);
      } catch (error) {
        if (!isLimit(error) || waits >= MAX_WAITS) throw error;
        const told = error instanceof TransportError ? error.retryAfterMs : undefined;
        await sleep(clock, Math.min(told || FIRST_WAIT_MS * 2 ** waits, MAX_WAIT_MS));
      }
    }
  }

  return async (filter) => {
    await checkCanonical(filter.to);
    const logs = await inParts({ from: filter.fromBlock, to: filter.to.number }, width, (range) =>
      patiently(filter, range),
    );
    await checkCanonical(filter.to);
    return logs;
  };
}

/**
 * Width of the parts that a range is split into: the last one that the node accepted, doubled now and then as a trial.
 */
class RangeWidth {
  #size = FIRST_RANGE;
  /** Parts before one may be wider. */
  #steady = 0;
  #isTrying = false;

  /** Blocks of the next part, of so many that are left. */
  next(left: bigint): bigint {
    const tries = this.#steady === 0 && !this.#isTrying && this.#size < MAX_RANGE && left > this.#size;
    if (!tries) return left < this.#size ? left : this.#size;
    this.#isTrying = true;
    return left < 2n * this.#size ? left : 2n * this.#size;
  }

  /** A part of so many blocks was answered. */
  worked(blocks: bigint): void {
    if (blocks > this.#size) {
      this.#size = blocks;
      this.#isTrying = false;
    } else if (this.#steady > 0) this.#steady -= 1;
  }

  /** A part failed for another reason than its width. */
  gaveUp(): void {
    this.#isTrying = false;
  }

  /** A part of so many blocks was refused. */
  refused(blocks: bigint, error: unknown): void {
    const told = error instanceof RpcError && isTooMuch(error) ? statedRange(error.message) : undefined;
    const isTold = told !== undefined && told < blocks;
    const next = isTold ? told : blocks / 2n;
    if (blocks > this.#size) this.#isTrying = false;
    // Parts that were on their way beside it say nothing new.
    if (next < this.#size) this.#size = next > 0n ? next : 1n;
    this.#steady = isTold ? STEADY_AFTER_TOLD : STEADY_RANGES;
  }
}

/** Reads a range in parts; their logs in order. */
async function inParts(
  whole: Range,
  width: RangeWidth,
  read: (range: Range) => Promise<readonly Log[]>,
): Promise<readonly Log[]> {
  const done = new Map<bigint, readonly Log[]>();
  /** Parts that were refused, to be read as smaller ones. */
  const left: Range[] = [];
  let next = whole.from;
  let failed = false;

  function take(): Range | undefined {
    const again = left.pop();
    const rest = again ?? { from: next, to: whole.to };
    if (failed || rest.from > rest.to) return undefined;
    const to = rest.from + width.next(rest.to - rest.from + 1n) - 1n;
    if (again === undefined) next = to + 1n;
    else if (to < rest.to) left.push({ from: to + 1n, to: rest.to });
    return { from: rest.from, to };
  }

  async function lane(mostDone = Number.POSITIVE_INFINITY): Promise<void> {
    while (done.size < mostDone) {
      const range = take();
      if (range === undefined) return;
      try {
        done.set(range.from, await read(range));
        width.worked(range.to - range.from + 1n);
      } catch (error) {
        if (!isTooWide(error) || range.to === range.from) {
          failed = true;
          width.gaveUp();
          throw error;
        }
        width.refused(range.to - range.from + 1n, error);
        left.push(range);
      }
    }
  }

  // One part shows how wide the others may be: eight that are too wide would be eight refusals.
  await lane(1);
  await Promise.all(Array.from({ length: PARALLEL_RANGES }, () => lane()));
  const logs: Log[] = [];
  // More than a call can have arguments.
  for (const from of [...done.keys()].sort((a, b) => (a < b ? -1 : 1)))
    for (const log of done.get(from)!) logs.push(log);
  return logs;
}

/** Whether it may be the range that there was no answer for: nodes have words of their own for how wide is too wide. */
function isTooWide(error: unknown): boolean {
  if (isLimit(error) || isPruned(error) || isAccountRefusal(error)) return false;
  return error instanceof RpcError || error instanceof TransportError || error instanceof AnswerTooLargeError;
}

/** @throws MalformedAnswerError when an answer holds what was not asked for, twice, out of order, or of another chain. */
function verify(
  logs: readonly Log[],
  filter: LogFilter & { readonly toBlock: bigint },
  canonicalHash: (blockNumber: bigint) => Hex | undefined,
): void {
  let previous: Log | undefined;
  for (const log of logs) {
    const topic = log.topics[0];
    if (log.blockNumber < filter.fromBlock || log.blockNumber > filter.toBlock)
      throw wrong("of a block outside the range");
    if (filter.addresses !== undefined && !filter.addresses.includes(log.address)) throw wrong("of another contract");
    if (topic === undefined || !filter.topics.includes(topic)) throw wrong("of another event");
    const hash = log.blockNumber === filter.to.number ? filter.to.hash : canonicalHash(log.blockNumber);
    if (hash !== undefined && hash !== log.blockHash) throw wrong("of another chain");
    if (previous !== undefined) {
      const sameBlock = log.blockNumber === previous.blockNumber;
      if (sameBlock && log.blockHash !== previous.blockHash) throw wrong("of two blocks of one height");
      if (log.blockNumber < previous.blockNumber || (sameBlock && log.logIndex <= previous.logIndex)) {
        throw wrong("out of order");
      }
    }
    previous = log;
  }
}

function wrong(how: string): MalformedAnswerError {
  return new MalformedAnswerError(`eth_getLogs: a log ${how}`);
}
