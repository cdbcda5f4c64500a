import type { Hex } from "../domain/address.ts";
import type { Log } from "../market/chain-reader.ts";
import { createBlooms } from "./bloom.ts";
import type { ChainRecord } from "./chains/chain-record.ts";
import type { Provider } from "./provider.ts";
import { BlockGoneError, MalformedAnswerError } from "./provider-errors.ts";
import { type Header, parseArray, parseHeader, parseLog, quantityParameter } from "./wire.ts";

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
   * All logs of a block, when the header's bloom says that one of `topics` may be among them; else none.
   * @throws MalformedAnswerError when the answer and the header's bloom are not the same logs: nodes answer with an
   * empty or shortened list while they are still indexing a new block.
   */
  logs(header: Header, topics: readonly Hex[]): Promise<readonly Log[]>;
}

export function createBlocks(provider: Provider, record: ChainRecord): Blocks {
  const blooms = createBlooms();
  const bloomsHold = record.logsBloom !== "unreliable";

  function verify(logs: readonly Log[], header: Header): void {
    for (const [position, log] of logs.entries()) {
      if (log.blockHash !== header.hash || log.blockNumber !== header.number) {
        throw new MalformedAnswerError("eth_getLogs: a log of another block");
      }
      const previous = logs[position - 1];
      if (previous !== undefined && log.logIndex <= previous.logIndex) {
        throw new MalformedAnswerError("eth_getLogs: logs out of order");
      }
      if (bloomsHold && log.logIndex !== position) throw new MalformedAnswerError("eth_getLogs: a log is missing");
    }
    if (bloomsHold && blooms.of(logs) !== header.logsBloom) {
      throw new MalformedAnswerError("eth_getLogs: not the logs that the header's bloom tells of");
    }
  }

  async function find(hash: Hex): Promise<Header | undefined> {
    const answer = await provider.request("eth_getBlockByHash", [hash, false]);
    if (answer === null) return undefined;
    const header = parseHeader(answer);
    if (header.hash !== hash) throw new MalformedAnswerError("eth_getBlockByHash: another block");
    return header;
  }

  return {
    async latest() {
      return parseHeader(await provider.request("eth_getBlockByNumber", ["latest", false]));
    },
    async byHash(hash) {
      const header = await find(hash);
      if (header === undefined) throw new BlockGoneError(`the node does not know block ${hash}`);
      return header;
    },
    async byNumber(number) {
      const answer = await provider.request("eth_getBlockByNumber", [quantityParameter(number), false]);
      if (answer === null) throw new BlockGoneError(`the node does not know block ${number}`);
      const header = parseHeader(answer);
      if (header.number !== number) throw new MalformedAnswerError("eth_getBlockByNumber: another block");
      return header;
    },
    async knows(hash) {
      return (await find(hash)) !== undefined;
    },
    async logs(header, topics) {
      if (bloomsHold && !topics.some((topic) => blooms.mayHold(header.logsBloom, topic))) return [];
      const answer = await provider.request("eth_getLogs", [{ blockHash: header.hash }]);
      const logs = parseArray(answer, "eth_getLogs").map(parseLog);
      verify(logs, header);
      return logs;
    },
  };
}
