import type { ChainRecord } from "../chain/chains/chain-record.ts";
import { createProvider, type Provider } from "../chain/provider.ts";
import { parseBytes } from "../chain/wire.ts";
import { configuredChain, namesChain } from "../compose-place.ts";
import type { Address, Hex } from "../domain/address.ts";
import { type Config, ConfigError } from "../ops/config.ts";
import { createLogger } from "../ops/logger.ts";
import type { Invocation } from "./command.ts";
import { configurationOf } from "./configuration.ts";

const TIMEOUT_MS = 10_000;

/** The operator's node and what is known of its chain. */
export interface NodeConnection {
  readonly config: Config;
  readonly record: ChainRecord;
  readonly provider: Provider;
  codeAt(address: Address): Promise<Hex>;
}

/** @throws ConfigError when the configuration names no node or no chain record */
export function connectToNode(given: Invocation): NodeConnection {
  const config = configurationOf(given);
  const [url] = config.RPC_URL;
  if (url === undefined || !namesChain(config)) {
    throw new ConfigError([
      "RPC_URL is needed, and CHAIN or CHAIN_FILE: the node's URL and its chain, see docs/chains.md",
    ]);
  }
  const provider = createProvider({ url, timeoutMs: TIMEOUT_MS, logger: createLogger("silent") });
  return {
    config,
    record: configuredChain(config),
    provider,
    codeAt: async (address) => parseBytes(await provider.request("eth_getCode", [address, "latest"]), "eth_getCode"),
  };
}
