import { type Abi, encodeFunctionData, type Hex } from "viem";
import { compiled } from "../../../../fixtures/settlement/node.ts";
import { type Address, toAddress, ZERO_ADDRESS } from "../../../../src/domain/address.ts";
import type { PoolRef } from "../../../../src/market/liquidity-source.ts";
import { poolIdOf } from "../../../../src/venues/infinity-cl/pool-key.ts";
import { infinityCl } from "../../../../src/venues/infinity-cl/source.ts";
import { DYNAMIC_FEE, tokenOf } from "../../../../src/venues/uniswap-v4/pool-key.ts";
import type { Asked, ConcentratedVenue } from "../../../support/suites/concentrated-exactness.ts";
import type { Anvil } from "../anvil.ts";

const desk = compiled("DevnetInfinityDesk");
const quoterArtifact = compiled("InfinityQuoter");
const hooksArtifact = compiled("DevnetClFeeHooks") as ReturnType<typeof compiled> & { readonly deployedBytecode: Hex };

/** Hooks that are called for nothing. */
export const FEE_HOOKS = toAddress(`0x${"0".repeat(32)}fee0c001`);

/** Contracts of PancakeSwap Infinity: a Vault, and a CLPoolManager that is registered there. */
interface Contracts {
  readonly abi: Abi;
  readonly manager: Address;
}

export interface InfinityWorld extends ConcentratedVenue {
  readonly manager: Address;
  /** Adds liquidity, or takes it away. */
  modify(pool: PoolRef, lower: number, upper: number, liquidity: bigint): Promise<Hex>;
  setProtocolFees(pool: PoolRef, sellingToken0: number, sellingToken1: number): Promise<Hex>;
  /** Sets the fee of a pool with FEE_HOOKS. */
  setFee(pool: PoolRef, feePpm: number): Promise<Hex>;
  /** Has the owner call one of the manager's functions without arguments. */
  manage(functionName: "pause" | "unpause"): Promise<Hex>;
  /** Creates a pool with any hooks, native token as the zero address. */
  initialize(
    currencies: readonly [Address, Address],
    terms: Pick<Parameters<typeof poolIdOf>[0], "fee" | "tickSpacing" | "hooks" | "registration">,
    price: bigint,
  ): Promise<PoolRef>;
}

/** Our Vault and CLPoolManager of the documented interface. */
async function deployOurs(anvil: Anvil): Promise<Contracts> {
  const [vaultOf, managerOf] = [compiled("DevnetInfinityVault"), compiled("DevnetClManager")];
  const vault = await anvil.deploy(vaultOf.abi, vaultOf.bytecode, []);
  return { abi: managerOf.abi, manager: await anvil.deploy(managerOf.abi, managerOf.bytecode, [vault, anvil.account]) };
}

/** A CLPoolManager with a desk. The manager is ours, or what `deploy` puts on the chain. */
export async function deployInfinity(anvil: Anvil, deploy = deployOurs): Promise<InfinityWorld> {
  const { abi, manager } = await deploy(anvil);
  const deskAt = await anvil.deploy(desk.abi, desk.bytecode, [manager]);
  const quoter = await anvil.deploy(quoterArtifact.abi, quoterArtifact.bytecode, [manager]);
  await anvil.rpc("anvil_setBalance", [deskAt, `0x${(1n << 180n).toString(16)}`]);
  await anvil.rpc("anvil_setCode", [FEE_HOOKS, hooksArtifact.deployedBytecode]);
  const send = (to: Address, of: Abi, functionName: string, ...args: readonly unknown[]) =>
    anvil.send(to, encodeFunctionData({ abi: of, functionName, args }));
  await anvil.mine();

  const keyOf = ({ terms }: PoolRef) => ({
    ...{ currency0: terms.currency0, currency1: terms.currency1, hooks: terms.hooks, poolManager: manager },
    fee: Number(terms.fee),
    parameters: `0x${((BigInt(terms.tickSpacing!) << 16n) | BigInt(terms.registration!)).toString(16).padStart(64, "0")}`,
  });
  const modify: InfinityWorld["modify"] = (pool, lower, upper, liquidity) =>
    send(deskAt, desk.abi, "modify", keyOf(pool), lower, upper, liquidity);
  const setFee: InfinityWorld["setFee"] = (pool, fee) =>
    send(FEE_HOOKS, hooksArtifact.abi, "setFee", manager, keyOf(pool), fee);
  // A controller is asked for the fee of every new pool, so that there is one only while it sets a fee.
  const setProtocolFees: InfinityWorld["setProtocolFees"] = async (pool, first, second) => {
    await send(manager, abi, "setProtocolFeeController", anvil.account);
    await send(manager, abi, "setProtocolFee", keyOf(pool), first | (second << 12));
    return send(manager, abi, "setProtocolFeeController", ZERO_ADDRESS);
  };
  const initialize: InfinityWorld["initialize"] = async (currencies, terms, price) => {
    const [currency0, currency1] = currencies;
    const { fee, tickSpacing, hooks, registration } = terms;
    const pool: PoolRef = {
      id: poolIdOf({ currencies, manager, ...terms }),
      address: manager,
      tokens: currencies.map(tokenOf),
      terms: {
        ...{ currency0, currency1, fee: String(fee), hooks },
        ...{ tickSpacing: String(tickSpacing), registration: String(registration) },
      },
    };
    await send(manager, abi, "initialize", keyOf(pool), price);
    await anvil.mine();
    return pool;
  };
  return {
    ...{ manager, modify, setFee, setProtocolFees, initialize },
    manage: (functionName) => send(manager, abi, functionName),
    source: infinityCl({ protocol: "infinity-cl", source: "Infinity_CL", factory: manager, fromBlock: 0n }),
    spenders: [deskAt],
    tiers: [
      { fee: 100, spacing: 1, quotes: 15 },
      { fee: 500, spacing: 10, quotes: 45 },
      { fee: 2500, spacing: 50, quotes: 60 },
      { fee: DYNAMIC_FEE, spacing: 200, quotes: 60 },
    ],
    create(tokens, fee, price) {
      const tickSpacing = { 100: 1, 500: 10, 2500: 50 }[fee] ?? 200;
      const hooks = fee === DYNAMIC_FEE ? FEE_HOOKS : ZERO_ADDRESS;
      return initialize(tokens, { fee, tickSpacing, hooks, registration: 0 }, price);
    },
    mint: modify,
    swapExactIn: (pool, zeroForOne, amount) => send(deskAt, desk.abi, "swap", keyOf(pool), zeroForOne, amount),
    async disturb(pool) {
      await setProtocolFees(pool, 4_000, 77);
      if (pool.terms.hooks === FEE_HOOKS) await setFee(pool, 123_457);
    },
    quote(pool, { zeroForOne, exactIn, amount }: Asked) {
      const args = [keyOf(pool), zeroForOne, exactIn ? amount : -amount];
      return { to: quoter, data: encodeFunctionData({ abi: quoterArtifact.abi, functionName: "quote", args }) };
    },
    decode({ zeroForOne, exactIn, amount }, answer) {
      const delta = BigInt.asIntN(256, BigInt(answer.slice(0, 66)));
      const [first, second] = [delta >> 128n, BigInt.asIntN(128, delta)];
      const [paid, got] = zeroForOne ? [-first, second] : [-second, first];
      if (!exactIn && got !== amount) return undefined;
      return { amount: exactIn ? got : paid };
    },
  };
}
