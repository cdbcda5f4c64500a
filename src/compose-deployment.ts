import type { Chain } from "./chain/chain.ts";
import type { Address, Hex } from "./domain/address.ts";
import type { Logger } from "./ops/logger.ts";
import { isDeployed } from "./settlement/deployment.ts";

/** What a look at the chain for the settlement contracts needs of it. */
type WatchedChain = Pick<Chain, "onSnapshot"> & { readonly provider: Pick<Chain["provider"], "request"> };

/**
 * Looks with every new block whether the settlement contracts stand on the chain, until they do. `deployed` is undefined until
 * the first look has ended; one that fails counts as if they did not stand.
 */
export function watchDeployment(chain: WatchedChain, wrappedNative: Address, logger: Logger) {
  const first = Promise.withResolvers<void>();
  const state: { readonly wrappedNative: Address; deployed: boolean | undefined; readonly firstLook: Promise<void> } = {
    wrappedNative,
    deployed: undefined,
    firstLook: first.promise,
  };
  const codeAt = async (address: Address) => toHex(await chain.provider.request("eth_getCode", [address, "latest"]));
  const stopLooking = chain.onSnapshot(async () => {
    try {
      if (!(await isDeployed({ codeAt }, wrappedNative)) || state.deployed) return;
      state.deployed = true;
      stopLooking();
      logger.info("the settlement contracts are deployed: quotes are open");
    } catch (error) {
      logger.warn({ err: error }, "could not look for the settlement contracts");
    } finally {
      state.deployed ??= false;
      first.resolve();
    }
  });
  return state;
}

function toHex(answer: unknown): Hex {
  if (typeof answer !== "string" || !answer.startsWith("0x")) throw new Error("eth_getCode: not hex");
  return answer as Hex;
}
