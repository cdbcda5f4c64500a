import type { ChainRecord } from "../chain/chains/chain-record.ts";
import { systemClock } from "../chain/rpc/clock.ts";
import type { Provider } from "../chain/rpc/provider.ts";
import { createChainReader } from "../chain/rpc/reader.ts";
import { createAccountReader } from "../chain/simulation/accounts.ts";
import { createSimulator } from "../chain/simulation/simulator.ts";
import type { LoggedQuote } from "../domain/terms/logged-quote.ts";
import { createLogger } from "../ops/logger.ts";
import { type Replay, replay } from "../quoting/record/replay.ts";
import { createRevertReader } from "../settlement/revert-reason.ts";
import { createSources } from "../venues/index.ts";

/**
 * Runs quotes on record again, on one node. There is no market and no search: a quote's transaction is on record with it.
 */
export function openReplay(provider: Provider, record: ChainRecord): (quote: LoggedQuote) => Promise<Replay> {
  const simulator = createSimulator({
    provider,
    accounts: createAccountReader(createChainReader(provider, record)),
    explainRevert: createRevertReader(createSources(record)).reason,
    logger: createLogger("silent"),
    clock: systemClock,
  });
  return (quote) => replay(quote, simulator);
}
