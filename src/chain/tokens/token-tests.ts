import { type Address, type Hex, NATIVE_TOKEN } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import type { Logger } from "../../ops/logger.ts";
import type { Follower } from "../blocks/follower.ts";
import type { ChainRecord } from "../chains/chain-record.ts";
import type { Nodes } from "../node/nodes.ts";
import type { BlockMemory } from "../rpc/block-memory.ts";
import type { Provider } from "../rpc/provider.ts";
import { createChainReader } from "../rpc/reader.ts";
import { createTokenTrial } from "./token-trial.ts";
import { createTokenTests, type TokenTests } from "./token-verdicts.ts";

/**
 * Tests a chain's tokens: from the contracts of the pools that hold them, on any node that is well, and on another than
 * the followed one to be sure of a fault.
 */
export function testTokensOf(options: {
  readonly nodes: Pick<Nodes, "any" | "other">;
  readonly record: ChainRecord;
  readonly follower: Pick<Follower, "tracked">;
  readonly memory: BlockMemory;
  readonly newest: () => Snapshot | undefined;
  /** The block to test at; undefined while there is none. */
  readonly head: () => BlockRef | undefined;
  readonly explainRevert: (data: Hex) => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly logger: Logger;
}): TokenTests {
  const { nodes, record, follower, memory, newest, head, explainRevert, now, logger } = options;

  /** One contract more than once, where it holds many pools. */
  function* holdersOf(token: Address): Iterable<Address> {
    for (const { id } of newest()?.graph.poolsOf(token) ?? []) {
      const contract = follower.tracked(id)?.ref.address;
      if (contract !== undefined) yield contract;
    }
  }

  const trialWith = (provider: Provider) =>
    createTokenTrial({
      ...{ provider, memory, holdersOf, explainRevert },
      reader: createChainReader(provider, record, { memory }),
    });
  return createTokenTests({
    trial: trialWith(nodes.any),
    confirm: trialWith(nodes.other),
    head,
    memory,
    trusted: new Set([NATIVE_TOKEN, record.wrappedNative]),
    now,
    logger,
  });
}
