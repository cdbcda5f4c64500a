import type { Hex } from "../domain/address.ts";
import type { Log } from "../market/chain-reader.ts";
import { createBlooms } from "./bloom.ts";
import type { ChainRecord } from "./chains/chain-record.ts";
import { type Clock, slicing } from "./clock.ts";
import { parsedAnswer } from "./parsed-answer.ts";
import type { Provider } from "./provider.ts";
import { AnswerTooLargeError, BlockGoneError, MalformedAnswerError } from "./provider-errors.ts";
import { provedLogs } from "./receipts.ts";
import { type Header, parseArray, parseHeader, parseHeaderOrNone, parseLog, quantityParameter } from "./wire.ts";

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
   * than an answer may hold, which anybody can fill, those of these topics alone: a bloom does not show that one is missing.
   * @throws MalformedAnswerError when the answer and the header's bloom are not the same logs: nodes answer with an
   * empty or shortened list while they are still indexing a new block. Or, where logs are to be proved, when the block's
   * receipts do not come to the header's receipts root: a bloom cannot show that one of several logs of a pool is missing.
   */
  logs(header: Header, topics: readonly Hex[]): Promise<readonly Log[]>;
}

/** With `proof`, a block's logs are taken from its receipts, and proved by them; its clock tells when to pause. */
export function createBlocks(provider: Provider, record: ChainRecord, proof?: { readonly clock: Clock }): Blocks {
  const blooms = createBlooms();
  const bloomsHold = record.logsBloom !== "unreliable";

  function verifyPlaces(logs: readonly Log[], header: Header): void {
    for (const [position, log] of logs.entries()) {
      if (log.blockHash !== header.hash || log.blockNumber !== header.number) {
        throw new MalformedAnswerError("logs: one is of another block");
      }
      const previous = logs[position - 1];
      if (previous !== undefined && log.logIndex <= previous.logIndex) {
        throw new MalformedAnswerError("logs: out of order");
      }
    }
  }

  function verify(logs: readonly Log[], header: Header): void {
    verifyPlaces(logs, header);
    const isMissing = logs.some(({ logIndex }, position) => logIndex !== position);
    if (bloomsHold && isMissing) throw new MalformedAnswerError("logs: one is missing");
    if (bloomsHold && blooms.of(logs) !== header.logsBloom) {
      throw new MalformedAnswerError("logs: not those that the header's bloom tells of");
    }
  }

  async function listed(header: Header): Promise<readonly Log[]> {
    return parsedAnswer(provider, "eth_getLogs", [{ blockHash: header.hash }], (answer) => {
      const logs = parseArray(answer, "eth_getLogs").map(parseLog);
      verify(logs, header);
      return logs;
    });
  }

  /** The logs of these topics, which are told from each other by nothing but their places and the header's bloom. */
  async function listedOf(header: Header, topics: readonly Hex[]): Promise<readonly Log[]> {
    return parsedAnswer(provider, "eth_getLogs", [{ blockHash: header.hash, topics: [topics] }], (answer) => {
      const logs = parseArray(answer, "eth_getLogs").map(parseLog);
      verifyPlaces(logs, header);
      for (const { address, topics: own } of logs) {
        const isOfBloom = [address, ...own].every((entry) => blooms.mayHold(header.logsBloom, entry));
        if (!topics.includes(own[0]!) || (bloomsHold && !isOfBloom)) {
          throw new MalformedAnswerError("logs: one is not of the block, or not of the topics that were asked for");
        }
      }
      return logs;
    });
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
      if (proof === undefined) {
        return listed(header).catch((error: unknown) => {
          if (!(error instanceof AnswerTooLargeError)) throw error;
          return listedOf(header, topics);
        });
      }
      const logs = await provedLogs(provider, header, slicing(proof.clock));
      verify(logs, header);
      return logs;
    },
  };
}
