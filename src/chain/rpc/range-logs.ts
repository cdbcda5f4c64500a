import type { Hex } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { ChainReader, Log } from "../../market/chain-reader.ts";
import { parseArray, parseHeaderOrNone, parseLog, quantityParameter } from "./codec.ts";
import { parsedAnswer } from "./parsed-answer.ts";
import type { Provider } from "./provider.ts";
import {
  AnswerTooLargeError,
  BlockGoneError,
  MalformedAnswerError,
  RpcError,
  TransportError,
} from "./provider-errors.ts";

type LogFilter = Parameters<ChainReader["logs"]>[0];

const FIRST_RANGE = 10_000n;
const MAX_RANGE = 1_000_000n;
/** Ranges that are as wide as the last one after a refusal: a node's limit stays, and each try beyond it costs a request. */
const STEADY_RANGES = 16;

/**
 * Logs of a range of blocks. A range that is too wide for the node (too many blocks, too many logs, too slow) or for us is
 * halved; one that works is doubled for the next, but for a while after a refusal. Before and after, the node has to hold
 * `to` as canonical: then the range lies on the chain of `to`, on a node that has come that far.
 */
export function createRangeLogs(
  provider: Provider,
  canonicalHash: (blockNumber: bigint) => Hex | undefined = () => undefined,
): ChainReader["logs"] {
  /** What the node took last, for the ranges to come. */
  let size = FIRST_RANGE;
  /** Ranges before the next may be wider. */
  let steady = 0;

  async function checkCanonical(to: BlockRef): Promise<void> {
    const params = [quantityParameter(to.number), false];
    const header = await parsedAnswer(provider, "eth_getBlockByNumber", params, parseHeaderOrNone);
    if (header?.hash !== to.hash) {
      throw new BlockGoneError(`block ${to.number} is not ${to.hash} any more`);
    }
  }

  async function range(filter: LogFilter, fromBlock: bigint, toBlock: bigint): Promise<readonly Log[]> {
    const wanted = {
      ...(filter.addresses === undefined ? {} : { address: filter.addresses }),
      topics: [filter.topics],
      fromBlock: quantityParameter(fromBlock),
      toBlock: quantityParameter(toBlock),
    };
    return parsedAnswer(provider, "eth_getLogs", [wanted], (answer) => {
      const logs = parseArray(answer, "eth_getLogs").map(parseLog);
      verify(logs, { ...filter, fromBlock, toBlock }, canonicalHash);
      return logs;
    });
  }

  return async (filter) => {
    await checkCanonical(filter.to);
    const logs: Log[] = [];
    for (let from = filter.fromBlock; from <= filter.to.number; ) {
      const last = from + size - 1n;
      const to = last < filter.to.number ? last : filter.to.number;
      try {
        // More than a call can have arguments.
        for (const log of await range(filter, from, to)) logs.push(log);
      } catch (error) {
        if (!isTooWide(error) || to === from) throw error;
        size = (to - from + 1n) / 2n;
        steady = STEADY_RANGES;
        continue;
      }
      from = to + 1n;
      if (steady > 0) steady -= 1;
      else if (size < MAX_RANGE) size *= 2n;
    }
    await checkCanonical(filter.to);
    return logs;
  };
}

/** Whether it may be the range that there was no answer for: nodes have words of their own for how wide is too wide. */
function isTooWide(error: unknown): boolean {
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
