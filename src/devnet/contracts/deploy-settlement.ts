import type { Hex } from "viem";
import { type Address, toAddress } from "../../domain/address.ts";
import { PERMIT2 } from "../../domain/terms/typed-data.ts";
import { deploySettlement } from "../../settlement/deployment.ts";
import { createJsonRpc } from "../node/json-rpc.ts";
import { submit } from "../node/node-transactions.ts";
import { permit2Deployment } from "./deploy-permit2.ts";

/**
 * Deploys the settlement contracts on a devnet, each in a block that is mined at once, and Permit2 with the first of them.
 * Doing it twice is harmless.
 */
export async function deploySettlementOn(devnet: {
  readonly rpcUrl: string;
  readonly chain: { readonly wrappedNative: Address };
  readonly deployer: { readonly address: Hex };
}): Promise<void> {
  const rpc = createJsonRpc(devnet.rpcUrl);
  const codeAt = (address: Address) => rpc.call<Hex>("eth_getCode", [address, "latest"]);
  const sent = async (label: string, transaction: { readonly to: Address; readonly data: Hex }) => {
    const nonce = Number(await rpc.call<Hex>("eth_getTransactionCount", [devnet.deployer.address, "pending"]));
    await submit(rpc, toAddress(devnet.deployer.address), nonce, [{ label, ...transaction }]);
  };
  if ((await codeAt(PERMIT2)) === "0x") await sent("permit2", permit2Deployment());
  await deploySettlement(
    {
      codeAt,
      async send(transaction) {
        await sent("settlement", transaction);
        await rpc.call("evm_mine");
      },
    },
    devnet.chain.wrappedNative,
  );
}
