import { type Chain, startChain } from "../chain/chain.ts";
import type { ChainOptions } from "../chain/chain-options.ts";
import type { LiquiditySource } from "../market/liquidity-source.ts";
import type { Config } from "../ops/config.ts";
import type { Logger } from "../ops/logger.ts";
import { createRevertReader, type RevertReader } from "../settlement/revert-reason.ts";
import { openCatalog } from "../stores/open-stores.ts";
import { createSources } from "../venues/index.ts";
import type { ChainSetup } from "./chain-setup.ts";
import { eligibilityOf } from "./eligibility.ts";

/** A chain that is followed, with the sources of all its venues. */
export interface FollowedChain {
  readonly chain: Chain;
  readonly sources: readonly LiquiditySource[];
  readonly reverts: RevertReader;
}

/**
 * Follows the chain of a place as the configuration has it.
 * @param otherwise goes before the configuration
 * @throws WrongChainError when the node serves another chain
 */
export async function followChain(
  config: Config,
  place: Pick<ChainSetup, "record" | "rpcUrls" | "wsUrls" | "tokens">,
  logger: Logger,
  otherwise: Partial<ChainOptions> = {},
): Promise<FollowedChain> {
  const { record, rpcUrls, wsUrls, tokens } = place;
  const sources = createSources(record);
  const reverts = createRevertReader(sources);
  const chain = await startChain({
    ...{ record, rpcUrls, wsUrls, tokens, sources, logger },
    quorum: config.RPC_QUORUM,
    historyUrls: config.HISTORY_URL,
    proveLogs: config.PROVE_LOGS,
    eligibility: eligibilityOf(config, record, tokens, sources),
    explainRevert: reverts.reason,
    ...otherwise,
    catalog: otherwise.catalog ?? openCatalog(undefined, record.chainId, () => {}),
  });
  return { chain, sources, reverts };
}
