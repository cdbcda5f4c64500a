import type { Logger } from "../../ops/logger.ts";
import type { ChainRecord } from "../chains/chain-record.ts";
import type { Node } from "./node.ts";
import { checkChainId, WrongChainError } from "./node-check.ts";

/**
 * Leaves out nodes that serve another chain, and those that have not said yet which they serve: their heads say nothing of
 * this one, and one far ahead would make all others count as lagging. Each is asked until it has named the chain once.
 */
export function createForeignNodeFilter(
  record: Pick<ChainRecord, "chainId" | "name">,
  logger: Logger,
): (nodes: readonly Node[]) => Promise<readonly Node[]> {
  const own = new Set<Node>();
  const told = new Set<Node>();

  async function isOwn(node: Node): Promise<boolean> {
    if (own.has(node)) return true;
    try {
      await checkChainId(node, record);
      own.add(node);
      return true;
    } catch (error) {
      if (!(error instanceof WrongChainError)) return false;
      node.place({ forked: true });
      if (!told.has(node)) logger.error({ node: node.name, reason: error.message }, "a node is not used");
      told.add(node);
      return false;
    }
  }

  return async (nodes) => {
    const answers = await Promise.all(nodes.map(isOwn));
    return nodes.filter((_, index) => answers[index]);
  };
}
