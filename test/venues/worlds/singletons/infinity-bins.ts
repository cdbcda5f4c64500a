import { encodeFunctionData, type Hex } from "viem";
import { compiled } from "../../../../fixtures/settlement/node.ts";
import { type Address, toAddress, ZERO_ADDRESS } from "../../../../src/domain/address.ts";
import type { Call } from "../../../../src/market/chain-reader.ts";
import type { LiquiditySource, PoolRef } from "../../../../src/market/liquidity-source.ts";
import { infinityBin } from "../../../../src/venues/infinity-bin/source.ts";
import { poolIdOf } from "../../../../src/venues/infinity-cl/pool-key.ts";
import { tokenOf } from "../../../../src/venues/uniswap-v4/pool-key.ts";
import type { Anvil } from "../anvil.ts";
import { type BinDeposit, packed } from "../bins.ts";
import { FEE_HOOKS } from "./infinity.ts";

const manager = compiled("DevnetBinManager");
const desk = compiled("DevnetBinDesk");
const hooksArtifact = compiled("DevnetClFeeHooks") as ReturnType<typeof compiled> & { readonly deployedBytecode: Hex };

/** Terms of a pool's key. */
export interface BinTermsOfKey {
  readonly fee: number;
  readonly binStep: number;
  readonly hooks: Address;
  readonly registration: number;
}

/** Pools of bins of PancakeSwap Infinity. What changes state is queued. */
export interface InfinityBinsWorld {
  readonly manager: Address;
  readonly source: LiquiditySource;
  readonly spenders: readonly Address[];
  /** Creates a pool, native token as the zero address. */
  initialize(currencies: readonly [Address, Address], terms: BinTermsOfKey, activeId: number): Promise<PoolRef>;
  mint(pool: PoolRef, deposits: readonly BinDeposit[]): Promise<Hex>;
  /** Takes parts of 10^18 out of bins. */
  burn(pool: PoolRef, bins: readonly { readonly id: number; readonly part: bigint }[]): Promise<Hex>;
  donate(pool: PoolRef, x: bigint, y: bigint): Promise<Hex>;
  /** `amount` above zero is sold, below zero bought. */
  swap(pool: PoolRef, xForY: boolean, amount: bigint): Promise<Hex>;
  /** Asks what such a swap comes to, of currency 0 in the upper half. */
  quote(pool: PoolRef, xForY: boolean, amount: bigint): Call;
  setProtocolFees(pool: PoolRef, sellingX: number, sellingY: number): Promise<Hex>;
  /** Sets the fee of a pool with FEE_HOOKS. */
  setFee(pool: PoolRef, feePpm: number): Promise<Hex>;
  manage(functionName: "pause" | "unpause"): Promise<Hex>;
}

/** Our Vault and BinPoolManager of the documented interface, with a desk. */
export async function deployInfinityBins(anvil: Anvil): Promise<InfinityBinsWorld> {
  const vaultOf = compiled("DevnetInfinityVault");
  const vault = await anvil.deploy(vaultOf.abi, vaultOf.bytecode, []);
  const at = await anvil.deploy(manager.abi, manager.bytecode, [vault, anvil.account]);
  const deskAt = await anvil.deploy(desk.abi, desk.bytecode, [at]);
  await anvil.rpc("anvil_setBalance", [deskAt, `0x${(1n << 180n).toString(16)}`]);
  await anvil.rpc("anvil_setCode", [FEE_HOOKS, hooksArtifact.deployedBytecode]);
  await anvil.mine();

  const call = (functionName: string, ...args: readonly unknown[]) =>
    encodeFunctionData({ abi: manager.abi, functionName, args });
  const keyOf = ({ terms }: PoolRef) => ({
    ...{ currency0: terms.currency0, currency1: terms.currency1, hooks: terms.hooks, poolManager: at },
    fee: Number(terms.fee),
    parameters: `0x${((BigInt(terms.binStep ?? 0) << 16n) | BigInt(terms.registration ?? 0)).toString(16).padStart(64, "0")}`,
  });
  const run = ({ terms }: PoolRef, data: Hex) => {
    const args = [terms.currency0, terms.currency1, data];
    return anvil.send(deskAt, encodeFunctionData({ abi: desk.abi, functionName: "run", args }));
  };
  const swapCall = (pool: PoolRef, xForY: boolean, amount: bigint) => call("swap", keyOf(pool), xForY, -amount, "0x");
  return {
    manager: at,
    source: infinityBin({ protocol: "infinity-bin", source: "Infinity_Bin", factory: at, fromBlock: 0n }),
    spenders: [deskAt],
    async initialize(currencies, terms, activeId) {
      const [currency0, currency1] = currencies;
      const { fee, binStep, hooks, registration } = terms;
      const pool: PoolRef = {
        id: poolIdOf({ currencies, manager: at, fee, hooks, registration, tickSpacing: binStep }),
        address: at,
        tokens: currencies.map(tokenOf),
        terms: {
          ...{ currency0, currency1, fee: String(fee), hooks },
          ...{ binStep: String(binStep), registration: String(registration) },
        },
      };
      await anvil.send(at, call("initialize", keyOf(pool), activeId));
      await anvil.mine();
      return pool;
    },
    mint: (pool, deposits) =>
      run(
        pool,
        call(
          "mint",
          keyOf(pool),
          deposits.map(({ id }) => BigInt(id)),
          deposits.map(packed),
        ),
      ),
    burn: (pool, bins) =>
      run(
        pool,
        call(
          "burn",
          keyOf(pool),
          bins.map(({ id }) => BigInt(id)),
          bins.map(({ part }) => part),
        ),
      ),
    donate: (pool, x, y) => run(pool, call("donate", keyOf(pool), x, y, "0x")),
    swap: (pool, xForY, amount) => run(pool, swapCall(pool, xForY, amount)),
    quote: (pool, xForY, amount) => ({
      to: deskAt,
      data: encodeFunctionData({ abi: desk.abi, functionName: "quote", args: [swapCall(pool, xForY, amount)] }),
    }),
    async setProtocolFees(pool, sellingX, sellingY) {
      await anvil.send(at, call("setProtocolFeeController", anvil.account));
      return anvil.send(at, call("setProtocolFee", keyOf(pool), sellingX | (sellingY << 12)));
    },
    setFee: (pool, fee) =>
      anvil.send(
        FEE_HOOKS,
        encodeFunctionData({ abi: hooksArtifact.abi, functionName: "setFee", args: [at, keyOf(pool), fee] }),
      ),
    manage: (functionName) => anvil.send(at, call(functionName)),
  };
}

/** A pool without hooks. */
export const PLAIN = { hooks: toAddress(ZERO_ADDRESS), registration: 0 } as const;
