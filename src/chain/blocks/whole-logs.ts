import type { Log } from "../../market/chain-reader.ts";
import { type Clock, slicing } from "../rpc/clock.ts";
import type { Header } from "../rpc/codec.ts";
import { MalformedAnswerError } from "../rpc/provider-errors.ts";
import type { createBlooms } from "./bloom.ts";

/**
 * Takes all logs of a block as they are told: each of the block, behind the one before it. With `blooms`, neither their
 * places nor the header's bloom leave room for another. Others have the thread now and then (`clock` tells when).
 * @throws MalformedAnswerError where the logs are not that
 */
export function wholeLogs(
  clock: Clock,
  blooms: ReturnType<typeof createBlooms> | undefined,
): (header: Header, told: Iterable<Log>) => Promise<readonly Log[]> {
  return async (header, told) => {
    const bloom = blooms?.begin();
    const logs = await inPlace(header, told, clock, (log, position) => {
      if (bloom === undefined) return;
      if (log.logIndex !== position) throw new MalformedAnswerError("logs: one is missing");
      bloom.add(log);
    });
    if (bloom !== undefined && bloom.bloom() !== header.logsBloom) {
      throw new MalformedAnswerError("logs: not those that the header's bloom tells of");
    }
    return logs;
  };
}

/** Logs in their order, which `look` is shown one by one. */
async function inPlace(
  header: Header,
  told: Iterable<Log>,
  clock: Clock,
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
