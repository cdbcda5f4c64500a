import type { Hex } from "viem";
import { type Address, toAddress } from "../../domain/address.ts";
import { deploySettlement } from "../../settlement/deployment.ts";
import { createJsonRpc } from "../node/json-rpc.ts";
import { submit } from "../node/node-transactions.ts";

/** Deploys the settlement contracts on a devnet, each in a block that is mined at once. Doing it twice is harmless. */
export async function deploySettlementOn(devnet: {
  readonly rpcUrl: string;
  readonly chain: { readonly wrappedNative: Address };
  readonly deployer: { readonly address: Hex };
}): Promise<void> {
  const rpc = createJsonRpc(devnet.rpcUrl);
  await deploySettlement(
    {
      codeAt: (address) => rpc.call<Hex>("eth_getCode", [address, "latest"]),
      async send(transaction) {
        const nonce = Number(await rpc.call<Hex>("eth_getTransactionCount", [devnet.deployer.address, "pending"]));
        await submit(rpc, toAddress(devnet.deployer.address), nonce, [{ label: "settlement", ...transaction }]);
        await rpc.call("evm_mine");
      },
    },
    devnet.chain.wrappedNative,
  );
}
