import type { ChainRecord } from "../chain/chains/chain-record.ts";
import { readChainRecord } from "../chain/chains/known-chains.ts";
import { recordsOf } from "../compose-makers.ts";
import { devnetAccounts } from "../devnet/accounts.ts";
import { devnetChain } from "../devnet/chain.ts";
import { devnetLayout } from "../devnet/layout.ts";
import { type Config, ConfigError } from "../ops/config.ts";
import { createSources } from "../sources/index.ts";

/** Whether a configuration names a chain; without one the devnet is served. */
export function namesChain({ CHAIN: name, CHAIN_FILE: file }: Config): boolean {
  return name !== undefined || file !== undefined;
}

/** The record of the chain that a configuration is for. @throws ConfigError */
export function configuredChain(config: Config): ChainRecord {
  if (!namesChain(config)) return devnetChain(devnetLayout(devnetAccounts().whale), 0);
  try {
    return readChainRecord({ name: config.CHAIN, file: config.CHAIN_FILE });
  } catch (error) {
    throw new ConfigError([error instanceof Error ? error.message : String(error)]);
  }
}

/** Names of the sources of a configuration: those of its chain, and its makers. @throws ConfigError */
export function configuredSources(config: Config): readonly string[] {
  const record = configuredChain(config);
  return [...createSources(record).map(({ id }) => id), ...recordsOf(config, record, []).map(({ name }) => name)];
}
