import type { Abi } from "viem";
import type { World } from "../../../fixtures/settlement/venues.ts";
import { type Address, type Hex, toAddress } from "../../../src/domain/address.ts";
import type { Anvil } from "../../venues/worlds/anvil.ts";

/** The world's node as the tests of the sources know theirs, as far as setting up pools needs it; every call is mined. */
export function asAnvil({ node, owner }: World): Anvil {
  const anvil = {
    account: owner,
    rpc: <T>(method: string, params: readonly unknown[] = []) => node.rpc<T>(method, ...params),
    send: (to: Address, data: Hex) => node.send({ from: owner, to, data }),
    mine: () => node.rpc<{ hash: Hex }>("eth_getBlockByNumber", "latest", false),
    deploy: (abi: Abi, bytecode: Hex, args: readonly unknown[] = []) => node.deploy({ abi, bytecode }, ...args),
    read: (to: Address, abi: Abi, name: string, args: readonly unknown[] = []) => node.read(to, abi, name, ...args),
    logsOf: async ({ hash }: { readonly hash: Hex }) => {
      const logs = await node.rpc<{ address: string; topics: Hex[] }[]>("eth_getLogs", { blockHash: hash });
      return logs.map((log) => ({ ...log, address: toAddress(log.address) }));
    },
  };
  return anvil as unknown as Anvil;
}
