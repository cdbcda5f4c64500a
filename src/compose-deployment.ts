import type { Chain } from "./chain/chain.ts";
import type { Address, Hex } from "./domain/address.ts";
import type { Logger } from "./ops/logger.ts";
import { isDeployed } from "./settlement/deployment.ts";

/** Looks with every new block whether the settlement contracts stand on the chain, until they do. */
export function watchDeployment(chain: Chain, wrappedNative: Address, logger: Logger) {
  const state = { wrappedNative, deployed: false };
  const codeAt = async (address: Address) => toHex(await chain.provider.request("eth_getCode", [address, "latest"]));
  const stopLooking = chain.onSnapshot(async () => {
    try {
      if (!(await isDeployed({ codeAt }, wrappedNative)) || state.deployed) return;
      state.deployed = true;
      stopLooking();
      logger.info("the settlement contracts are deployed: quotes are open");
    } catch (error) {
      logger.warn({ err: error }, "could not look for the settlement contracts");
    }
  });
  return state;
}

function toHex(answer: unknown): Hex {
  if (typeof answer !== "string" || !answer.startsWith("0x")) throw new Error("eth_getCode: not hex");
  return answer as Hex;
}
