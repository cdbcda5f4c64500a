import type { Hex } from "../../domain/address.ts";
import type { Log } from "../../market/chain-reader.ts";
import type { ChainRecord } from "../chains/chain-record.ts";
import { type Clock, slicing, systemClock } from "../rpc/clock.ts";
import { type Header, parseArray, parseHeader, parseHeaderOrNone, parseLog, quantityParameter } from "../rpc/codec.ts";
import { parsedAnswer } from "../rpc/parsed-answer.ts";
import type { Provider } from "../rpc/provider.ts";
import { BlockGoneError, isTooMuch, MalformedAnswerError } from "../rpc/provider-errors.ts";
import { createBlooms } from "./bloom.ts";
import { logsOneByOne, provedLogs } from "./receipts.ts";

/** Headers and whole blocks of logs, verified as far as a header allows. */
export interface Blocks {
  /** The node's newest block. */
  latest(): Promise<Header>;
  /** @throws BlockGoneError when the node does not know it. */
  byHash(hash: Hex): Promise<Header>;
  /** The canonical block of a height by the node's word. */
  byNumber(number: bigint): Promise<Header>;
  /** Whether the node still has the block at all. */
  knows(hash: Hex): Promise<boolean>;
  /**
   * All logs of a block, when the header's bloom says that one of `topics` may be among them; else none. Of a block with more
   * than an answer may hold they are read transaction by transaction.
   * @throws MalformedAnswerError when the answer and the header's bloom are not the same logs: nodes answer with an
   * empty or shortened list while they are still indexing a new block. Or, where logs are to be proved, when the block's
   * receipts do not come to the header's receipts root: a bloom cannot show that one of several logs of a pool is missing.
   */
  logs(header: Header, topics: readonly Hex[]): Promise<readonly Log[]>;
}

/**
 * Long lists of logs are read with pauses, for which others have the thread (`clock` tells when). With `proves`, a block's
 * logs are taken from its receipts, and proved by them.
 */
export function createBlocks(
  provider: Provider,
  record: ChainRecord,
  options: { readonly clock?: Clock; readonly proves?: boolean } = {},
): Blocks {
  const { clock = systemClock, proves = false } = options;
  const blooms = createBlooms();
  const bloomsHold = record.logsBloom !== "unreliable";

  /** Logs as they are told, which `look` is shown one by one: each of the block, behind the one before it. */
  async function inPlace(
    header: Header,
    told: Iterable<Log>,
    look: (log: Log, position: number) => void,
  ): Promise<readonly Log[]> {
    const logs: Log[] = [];
    const pause = slicing(clock);
    for (const log of told) {
      if (log.blockHash !== header.hash || log.blockNumber !== header.number) {
        throw new MalformedAnswerError("logs: one is of another block");
      }
      const previous = logs.at(-1);
      if (previous !== undefined && log.logIndex <= previous.logIndex) {
        throw new MalformedAnswerError("logs: out of order");
      }
      look(log, logs.length);
      logs.push(log);
      const turn = pause();
      if (turn !== undefined) await turn;
    }
    return logs;
  }

  /** All logs of a block: neither the places nor the bloom leave room for another. */
  async function whole(header: Header, told: Iterable<Log>): Promise<readonly Log[]> {
    if (!bloomsHold) return inPlace(header, told, () => {});
    const bloom = blooms.begin();
    const logs = await inPlace(header, told, (log, position) => {
      if (log.logIndex !== position) throw new MalformedAnswerError("logs: one is missing");
      bloom.add(log);
    });
    if (bloom.bloom() !== header.logsBloom) {
      throw new MalformedAnswerError("logs: not those that the header's bloom tells of");
    }
    return logs;
  }

  function listed(header: Header): Promise<readonly Log[]> {
    const filter = { blockHash: header.hash };
    return parsedAnswer(provider, "eth_getLogs", [filter], (answer) => whole(header, logsIn(answer)));
  }

  async function find(hash: Hex): Promise<Header | undefined> {
    return parsedAnswer(provider, "eth_getBlockByHash", [hash, false], (answer) => {
      const header = parseHeaderOrNone(answer);
      if (header !== undefined && header.hash !== hash) {
        throw new MalformedAnswerError("eth_getBlockByHash: another block");
      }
      return header;
    });
  }

  return {
    async latest() {
      return parsedAnswer(provider, "eth_getBlockByNumber", ["latest", false], parseHeader);
    },
    async byHash(hash) {
      const header = await find(hash);
      if (header === undefined) throw new BlockGoneError(`the node does not know block ${hash}`);
      return header;
    },
    async byNumber(number) {
      const header = await parsedAnswer(
        provider,
        "eth_getBlockByNumber",
        [quantityParameter(number), false],
        (answer) => {
          const found = parseHeaderOrNone(answer);
          if (found !== undefined && found.number !== number) {
            throw new MalformedAnswerError("eth_getBlockByNumber: another block");
          }
          return found;
        },
      );
      if (header === undefined) throw new BlockGoneError(`the node does not know block ${number}`);
      return header;
    },
    async knows(hash) {
      return (await find(hash)) !== undefined;
    },
    async logs(header, topics) {
      if (bloomsHold && !topics.some((topic) => blooms.mayHold(header.logsBloom, topic))) return [];
      if (proves) return whole(header, await provedLogs(provider, header, slicing(clock)));
      return listed(header).catch(async (error: unknown) => {
        if (!isTooMuch(error)) throw error;
        return whole(header, await logsOneByOne(provider, header));
      });
    },
  };
}

function* logsIn(answer: unknown): Iterable<Log> {
  for (const log of parseArray(answer, "eth_getLogs")) yield parseLog(log);
}
