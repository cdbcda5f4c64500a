import type { Chain } from "../chain/chain.ts";
import { blockParameter, parseBytes } from "../chain/rpc/codec.ts";
import type { Address } from "../domain/address.ts";
import type { BlockRef } from "../domain/block.ts";
import type { Logger } from "../ops/logger.ts";
import { isDeployed } from "../settlement/deployment.ts";

/** Parts of a chain that the look for the settlement contracts needs. */
type WatchedChain = Pick<Chain, "onSnapshot" | "memory"> & { readonly provider: Pick<Chain["provider"], "request"> };

/** Whether the settlement contracts stand on the chain. */
export interface Deployment {
  readonly wrappedNative: Address;
  /** Undefined until the first look has ended, and while nobody has looked since a reorganization. */
  readonly deployed: boolean | undefined;
  readonly firstLook: Promise<void>;
}

/**
 * Looks with every new block whether the settlement contracts stand on the chain, until they do, and again when the block
 * that showed them has left the chain. A look that fails counts as if they did not stand.
 */
export function watchDeployment(chain: WatchedChain, wrappedNative: Address, logger: Logger): Deployment {
  const first = Promise.withResolvers<void>();
  let answer: boolean | undefined;
  let isLooking = false;
  const found = chain.memory.memo<"contracts", true>({
    most: 1,
    onForgotten() {
      answer = undefined;
    },
  });

  async function isDeployedAt(block: BlockRef): Promise<boolean> {
    const codeAt = async (address: Address) =>
      parseBytes(await chain.provider.request("eth_getCode", [address, blockParameter(block)]), "eth_getCode");
    try {
      return await isDeployed({ codeAt }, wrappedNative);
    } catch (error) {
      logger.warn({ err: error }, "could not look for the settlement contracts");
      return false;
    }
  }

  async function look(block: BlockRef): Promise<void> {
    isLooking = true;
    const deployed = await isDeployedAt(block);
    isLooking = false;
    if (deployed) found.set("contracts", true, block);
    // If the block has left the chain meanwhile, the next one is examined.
    const stands = found.get("contracts", undefined) === true;
    if (stands === deployed) answer = deployed;
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
