import { setTimeout as wait } from "node:timers/promises";
import type { Chain } from "../chain/chain.ts";
import { blockParameter, parseBytes } from "../chain/rpc/codec.ts";
import type { Address } from "../domain/address.ts";
import type { BlockRef } from "../domain/block.ts";
import type { Logger } from "../ops/logger.ts";
import { isDeployed } from "../settlement/deployment.ts";

/** Parts of a chain that the look for the settlement contracts needs. */
type WatchedChain = Pick<Chain, "onSnapshot" | "memory"> & { readonly provider: Pick<Chain["provider"], "request"> };

/** A look that has failed is repeated so often: a node may have refused it for its rate. */
const REPEATS = 5;
const REPEATED_AFTER_MS = 1_000;

/** Whether the settlement contracts stand on the chain. */
export interface Deployment {
  readonly wrappedNative: Address;
  /** Undefined until a look has succeeded, and while nobody has looked since a reorganization. */
  readonly deployed: boolean | undefined;
  /** Resolves once the first look has ended, even one that failed. */
  readonly firstLook: Promise<void>;
}

/**
 * Looks with every new block whether the settlement contracts stand on the chain, until they do, and again when the block
 * that showed them has left the chain. A look that fails tells nothing: it is repeated a few times, and with the next block.
 */
export function watchDeployment(
  chain: WatchedChain,
  wrappedNative: Address,
  logger: Logger,
  repeatedAfterMs = REPEATED_AFTER_MS,
): Deployment {
  const first = Promise.withResolvers<void>();
  let answer: boolean | undefined;
  let isLooking = false;
  const found = chain.memory.memo<"contracts", true>({
    most: 1,
    onForgotten() {
      answer = undefined;
    },
  });

  async function isDeployedAt(block: BlockRef): Promise<boolean | undefined> {
    const codeAt = async (address: Address) =>
      parseBytes(await chain.provider.request("eth_getCode", [address, blockParameter(block)]), "eth_getCode");
    try {
      return await isDeployed({ codeAt }, wrappedNative);
    } catch (error) {
      logger.warn({ err: error }, "could not look for the settlement contracts");
      return undefined;
    }
  }

  async function look(block: BlockRef): Promise<void> {
    isLooking = true;
    let deployed = await isDeployedAt(block);
    for (let again = 0; deployed === undefined && again < REPEATS; again += 1) {
      await wait(repeatedAfterMs, undefined, { ref: false });
      deployed = await isDeployedAt(block);
    }
    isLooking = false;
    if (deployed) found.set("contracts", true, block);
    // If the block has left the chain meanwhile, the next one is examined.
    const stands = found.get("contracts", undefined) === true;
    if (deployed !== undefined && stands === deployed) answer = deployed;
    if (stands) logger.info("the settlement contracts are deployed: quotes are open");
    first.resolve();
  }

  chain.onSnapshot(({ block }) => {
    if (!isLooking && found.get("contracts", undefined) === undefined) void look(block);
  });
  return {
    wrappedNative,
    get deployed() {
      return answer;
    },
    firstLook: first.promise,
  };
}
