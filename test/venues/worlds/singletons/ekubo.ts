import { encodeFunctionData, type Hex, numberToHex } from "viem";
import { compiled } from "../../../../fixtures/settlement/node.ts";
import type { Address } from "../../../../src/domain/address.ts";
import type { Call } from "../../../../src/market/chain-reader.ts";
import type { LiquiditySource, PoolRef } from "../../../../src/market/liquidity-source.ts";
import { refOf } from "../../../../src/venues/ekubo/pool-key.ts";
import { ekubo } from "../../../../src/venues/ekubo/source.ts";
import { mappingSlot } from "../../../../src/venues/reading/words.ts";
import type { Anvil } from "../anvil.ts";

const coreArtifact = compiled("DevnetEkuboCore");
const desk = compiled("DevnetEkuboDesk");
const listener = compiled("EkuboListener") as ReturnType<typeof compiled> & { readonly deployedBytecode: Hex };

/** An extension that is told of swaps: the first byte of its address says before which calls. */
export const LISTENER = "0x517e506700271aea091b02f42756f5e174af5230" as Address;

/** Core of Ekubo with a desk that has plenty of native token. */
export interface EkuboWorld {
  readonly core: Address;
  readonly desk: Address;
  readonly source: LiquiditySource;
  create(tokens: readonly [Address, Address], config: bigint, tick: number): Promise<PoolRef>;
  /** Adds liquidity, or takes it away. */
  modify(pool: PoolRef, lower: number, upper: number, liquidity: bigint): Promise<Hex>;
  /** `amount` above zero is sold, below zero bought. */
  swap(pool: PoolRef, zeroForOne: boolean, amount: bigint): Promise<Hex>;
  /** Asks what a swap would move; `decode` reads the answer. */
  quote(pool: PoolRef, zeroForOne: boolean, amount: bigint): Call;
  decode(answer: Hex, zeroForOne: boolean): { readonly paid: bigint; readonly got: bigint };
}

/** The chain that a Core is put on. */
type Chain = Pick<Anvil, "deploy" | "rpc" | "send"> & { mine(): Promise<unknown> };

/** A Core that is put on the chain as it is compiled: ours, or its makers'. */
async function deployOurs({ deploy }: Pick<Anvil, "deploy">): Promise<Address> {
  return deploy(coreArtifact.abi, coreArtifact.bytecode);
}

export async function deployEkubo<On extends Chain>(
  anvil: On,
  deploy: (anvil: On) => Promise<Address> = deployOurs,
): Promise<EkuboWorld> {
  const core = await deploy(anvil);
  const deskAt = await anvil.deploy(desk.abi, desk.bytecode, [core]);
  await anvil.rpc("anvil_setBalance", [deskAt, `0x${(1n << 200n).toString(16)}`]);
  await anvil.rpc("anvil_setCode", [LISTENER, listener.deployedBytecode]);
  await anvil.rpc("anvil_setStorageAt", [core, mappingSlot(BigInt(LISTENER), 0), numberToHex(1, { size: 32 })]);
  await anvil.mine();
  const keyOf = ({ terms }: PoolRef) => ({
    ...{ token0: terms.token0, token1: terms.token1 },
    config: `0x${BigInt(terms.config as string)
      .toString(16)
      .padStart(64, "0")}`,
  });
  const ofDesk = (functionName: string, ...args: readonly unknown[]) =>
    encodeFunctionData({ abi: desk.abi, functionName, args });
  return {
    ...{ core, desk: deskAt },
    source: ekubo({
      ...{ protocol: "ekubo", source: "Ekubo", factory: core, fromBlock: 0n },
      passiveExtensions: [LISTENER],
    }),
    async create(tokens, config, tick) {
      const pool = refOf(core, { tokens, config });
      const args = [keyOf(pool), tick];
      await anvil.send(core, encodeFunctionData({ abi: coreArtifact.abi, functionName: "initializePool", args }));
      await anvil.mine();
      return pool;
    },
    modify: (pool, lower, upper, liquidity) =>
      anvil.send(deskAt, ofDesk("modify", keyOf(pool), lower, upper, liquidity)),
    swap: (pool, zeroForOne, amount) => anvil.send(deskAt, ofDesk("swap", keyOf(pool), zeroForOne, amount)),
    quote: (pool, zeroForOne, amount) => ({ to: deskAt, data: ofDesk("quote", keyOf(pool), zeroForOne, amount) }),
    decode(answer, zeroForOne) {
      const update = BigInt(answer.slice(0, 66));
      const [debt0, debt1] = [BigInt.asIntN(128, update >> 128n), BigInt.asIntN(128, update)];
      return zeroForOne ? { paid: debt0, got: -debt1 } : { paid: debt1, got: -debt0 };
    },
  };
}
