import { configuredChain } from "../../compose/chain-setup.ts";
import { recordsOf } from "../../compose/makers.ts";
import type { Config } from "../../ops/config.ts";
import { createSources } from "../../venues/index.ts";

/** Names of the sources of a configuration: those of its chain, and its makers. @throws ConfigError */
export function configuredSources(config: Config): readonly string[] {
  const record = configuredChain(config);
  return [...createSources(record).map(({ id }) => id), ...recordsOf(config, record, []).map(({ name }) => name)];
}
