import type { NodeConnection } from "../connection/node-connection.ts";
import { chainChecks } from "./chain-checks.ts";
import { type Finding, inTurn } from "./checks.ts";
import { CHAIN_ID, nodeChecks } from "./node-checks.ts";
import { recordChecks } from "./record-checks.ts";

/**
 * Checks each node's abilities, and the chain's record on the first node that serves the chain. With several nodes the
 * checks are named as the log names the nodes. Never throws.
 */
export async function* checkNodes(
  nodes: readonly NodeConnection[],
  /** Whether everything that the record says is held against the chain. */
  wholeRecord: boolean,
): AsyncGenerator<Finding> {
  let ofTheChain: NodeConnection | undefined;
  for (const [index, node] of nodes.entries()) {
    for await (const finding of inTurn(nodeChecks(node))) {
      if (finding.check === CHAIN_ID && finding.outcome === "ok") ofTheChain ??= node;
      yield nodes.length === 1 ? finding : { ...finding, check: `node ${index + 1}: ${finding.check}` };
    }
  }
  if (ofTheChain === undefined) return;
  yield* inTurn(chainChecks(ofTheChain));
  if (wholeRecord) yield* inTurn(recordChecks(ofTheChain));
}
