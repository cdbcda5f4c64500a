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
import { wholeLogs } from "./whole-logs.ts";

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
   * All logs of a block, when the header's bloom says that one of `topics` may be among them; else none. An address among
   * those is of a contract whose logs have no topic. Of a block with more than an answer may hold they are read transaction
   * by transaction.
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
  const whole = wholeLogs(clock, bloomsHold ? blooms : undefined);

  function listed(header: Header): Promise<readonly Log[]> {
    const filter = { blockHash: header.hash };
    return parsedAnswer(provider, "eth_getLogs", [filter], (answer) => whole(header, logsIn(answer)));
  }

  const find = (hash: Hex) => findHeader(provider, ["eth_getBlockByHash", hash], (header) => header.hash === hash);
  const atHeight = (number: bigint) => {
    const asked = ["eth_getBlockByNumber", quantityParameter(number)] as const;
    return findHeader(provider, asked, (header) => header.number === number);
  };

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
      const header = await atHeight(number);
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

/** The header that a node is asked for, if it knows it. @throws MalformedAnswerError when it answers with another one */
function findHeader(
  provider: Provider,
  [method, block]: readonly [method: string, block: string],
  isIt: (header: Header) => boolean,
): Promise<Header | undefined> {
  return parsedAnswer(provider, method, [block, false], (answer) => {
    const header = parseHeaderOrNone(answer);
    if (header !== undefined && !isIt(header)) throw new MalformedAnswerError(`${method}: another block`);
    return header;
  });
}

function* logsIn(answer: unknown): Iterable<Log> {
  for (const log of parseArray(answer, "eth_getLogs")) yield parseLog(log);
}
