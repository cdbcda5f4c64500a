import { checkChainId } from "../../chain/node/node-check.ts";
import type { Provider } from "../../chain/rpc/provider.ts";
import { messageOf } from "../../domain/message-of.ts";
import type { Invocation } from "../command.ts";
import { connectToNodes, type NodeConnection } from "../connection/node-connection.ts";

/** The nodes of an audit: one is followed, and another one runs the quotes where there is one. */
export interface AuditedNodes {
  readonly followed: NodeConnection;
  readonly node: Provider;
  readonly runs: Provider | undefined;
  /** Requests so far, to all nodes. */
  requests(): number;
  close(): void;
}

/** @throws ConfigError when none is configured; Error with what each of them answered when none serves the chain */
export async function auditedNodes(given: Invocation): Promise<AuditedNodes> {
  const serving: NodeConnection[] = [];
  const faults: string[] = [];
  const all = connectToNodes(given);
  for (const [index, node] of all.entries()) {
    try {
      await checkChainId(node.provider, node.record);
      serving.push(node);
    } catch (error) {
      node.provider.close();
      faults.push(all.length === 1 ? messageOf(error) : `node ${index + 1}: ${messageOf(error)}`);
    }
  }
  const [followed, other] = serving;
  if (followed === undefined) throw new Error(faults.join("\n"));
  for (const fault of faults) given.note(`${fault}: the audit goes on without it`);
  let requests = 0;
  const counted = (provider: Provider): Provider => ({
    ...provider,
    request(method, params, options) {
      requests += 1;
      return provider.request(method, params, options);
    },
  });
  return {
    followed,
    node: counted(followed.provider),
    runs: other && counted(other.provider),
    requests: () => requests,
    close: () => {
      for (const { provider } of serving) provider.close();
    },
  };
}
