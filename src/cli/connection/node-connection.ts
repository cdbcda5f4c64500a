import type { ChainRecord } from "../../chain/chains/chain-record.ts";
import { checkChainId } from "../../chain/node/node-check.ts";
import { parseBytes } from "../../chain/rpc/codec.ts";
import { createProvider, type Provider } from "../../chain/rpc/provider.ts";
import { configuredChain, namesChain } from "../../compose/chain-setup.ts";
import type { Address, Hex } from "../../domain/address.ts";
import { messageOf } from "../../domain/message-of.ts";
import { type Config, ConfigError } from "../../ops/config.ts";
import { createLogger } from "../../ops/logger.ts";
import type { Invocation } from "../command.ts";
import { configurationOf } from "./configuration.ts";
import { withProgress } from "./progress.ts";

const TIMEOUT_MS = 10_000;

/** One of the operator's nodes, and what is known of its chain. */
export interface NodeConnection {
  readonly config: Config;
  readonly record: ChainRecord;
  readonly provider: Provider;
  /** WebSocket of the node, if one is configured. */
  readonly wsUrl: string | undefined;
  codeAt(address: Address): Promise<Hex>;
}

/**
 * The first of the operator's nodes that serves the chain.
 * @throws ConfigError when none is configured, or no chain record; Error with what each of them answered when none serves it
 */
export async function connectToNode(given: Invocation): Promise<NodeConnection> {
  const nodes = connectToNodes(given);
  const faults: string[] = [];
  for (const [index, node] of nodes.entries()) {
    try {
      await withProgress("asking the node", given.note, checkChainId(node.provider, node.record));
      return node;
    } catch (error) {
      node.provider.close();
      const fault = messageOf(error);
      faults.push(nodes.length === 1 ? fault : `node ${index + 1}: ${fault}`);
    }
  }
  throw new Error(faults.join("\n"));
}

/** All of them, in the order of RPC_URL. @throws ConfigError when there is none, or no chain record */
export function connectToNodes(given: Invocation): readonly NodeConnection[] {
  const config = configurationOf(given);
  return [connectionTo(config, 0), ...config.RPC_URL.slice(1).map((_, i) => connectionTo(config, i + 1))];
}

function connectionTo(config: Config, index: number): NodeConnection {
  const url = config.RPC_URL[index];
  if (url === undefined || !namesChain(config)) {
    throw new ConfigError([
      "RPC_URL, and CHAIN or CHAIN_FILE, are not set: set them to the node's URL and its chain, see docs/chains.md",
    ]);
  }
  const provider = createProvider({ url, timeoutMs: TIMEOUT_MS, logger: createLogger("silent") });
  return {
    config,
    record: configuredChain(config),
    provider,
    wsUrl: config.WS_URL[index],
    codeAt: async (address) => parseBytes(await provider.request("eth_getCode", [address, "latest"]), "eth_getCode"),
  };
}
