import { encodeFunctionData, numberToHex } from "viem";
import { type Address, toAddress } from "../../../src/domain/address.ts";
import type { Anvil } from "./anvil.ts";
import { compiled } from "./compiled.ts";
import { mintedToken, setBalance } from "./traffic/minted-tokens.ts";

const factory = compiled("DevnetSolidlyFactory");
export const solidlyPoolAbi = compiled("DevnetSolidlyPool").abi;

/** A pool with its tokens, in the pool's order. */
export interface SolidlyPool {
  readonly address: Address;
  readonly tokens: readonly [Address, Address];
  readonly units: readonly [bigint, bigint];
  readonly stable: boolean;
}

/** The Solidly-kind factory of the devnet. */
export interface SolidlyWorld {
  readonly factory: Address;
  createPool(stable: boolean, decimals: readonly [number, number]): Promise<SolidlyPool>;
  /** Writes what a pool holds, as reserves and as balances. */
  setReserves(pool: SolidlyPool, reserves: readonly [bigint, bigint]): Promise<void>;
  /** Queues a call of the factory. */
  manage(functionName: string, args: readonly unknown[]): Promise<void>;
}

export async function deploySolidly(anvil: Anvil): Promise<SolidlyWorld> {
  const address = await anvil.deploy(factory.abi, factory.bytecode);
  const manage: SolidlyWorld["manage"] = async (functionName, args) => {
    await anvil.send(address, encodeFunctionData({ abi: factory.abi, functionName, args }));
  };
  return {
    factory: address,
    manage,
    async createPool(stable, decimals) {
      const made = [await mintedToken(anvil, decimals[0]), await mintedToken(anvil, decimals[1])] as const;
      const inOrder = made[0] < made[1];
      const tokens = inOrder ? made : ([made[1], made[0]] as const);
      const [first, second] = inOrder ? decimals : [decimals[1], decimals[0]];
      await manage("createPool", [...tokens, stable]);
      await anvil.mine();
      const pool = toAddress(await anvil.read<string>(address, factory.abi, "getPool", [...tokens, stable]));
      return { address: pool, tokens, units: [10n ** BigInt(first), 10n ** BigInt(second)], stable };
    },
    async setReserves(pool, reserves) {
      for (const [index, token] of pool.tokens.entries()) {
        const reserve = reserves[index] as bigint;
        await anvil.rpc("anvil_setStorageAt", [pool.address, numberToHex(index, { size: 32 }), word(reserve)]);
        await setBalance(anvil, token, pool.address, reserve);
      }
    },
  };
}

function word(value: bigint): `0x${string}` {
  return numberToHex(value, { size: 32 });
}
