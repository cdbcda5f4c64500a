import { type Abi, decodeFunctionResult, encodeFunctionData, type Hex } from "viem";
import { compiled } from "../../../../fixtures/settlement/node.ts";
import { bundled } from "../../../../src/devnet/contracts/bundle.ts";
import { type Address, toAddress, ZERO_ADDRESS } from "../../../../src/domain/address.ts";
import type { PoolRef } from "../../../../src/market/liquidity-source.ts";
import { DYNAMIC_FEE, poolIdOf, tokenOf } from "../../../../src/venues/uniswap-v4/pool-key.ts";
import { uniswapV4 } from "../../../../src/venues/uniswap-v4/source.ts";
import type { Asked, ConcentratedVenue } from "../../../support/suites/concentrated-exactness.ts";
import type { Anvil } from "../anvil.ts";

const managerArtifact = bundled("PoolManager");
const quoterArtifact = bundled("V4Quoter");
const deskArtifact = compiled("DevnetV4Desk");
const hooksArtifact = compiled("DevnetFeeHooks") as ReturnType<typeof compiled> & { readonly deployedBytecode: Hex };

/** Hooks without any permission: the lowest 14 bits are zero. */
export const FEE_HOOKS = toAddress(`0x${"0".repeat(32)}fee0c000`);

export interface V4World extends ConcentratedVenue {
  readonly manager: Address;
  /** Adds liquidity, or takes it away. */
  modify(pool: PoolRef, lower: number, upper: number, liquidity: bigint): Promise<Hex>;
  setProtocolFees(pool: PoolRef, sellingToken0: number, sellingToken1: number): Promise<Hex>;
  /** Sets the fee of a pool with FEE_HOOKS. */
  setFee(pool: PoolRef, feePpm: number): Promise<Hex>;
  /** Creates a pool with any hooks, native token as the zero address. */
  initialize(
    currencies: readonly [Address, Address],
    fee: number,
    tickSpacing: number,
    hooks: Address,
    price: bigint,
  ): Promise<PoolRef>;
}

/** Uniswap V4's PoolManager and V4Quoter as their makers compiled them, with the devnet's desk. */
export async function deployV4(anvil: Anvil): Promise<V4World> {
  const { account } = anvil;
  const manager = await anvil.deploy(managerArtifact.abi, managerArtifact.bytecode, [account]);
  const quoter = await anvil.deploy(quoterArtifact.abi, quoterArtifact.bytecode, [manager]);
  const desk = await anvil.deploy(deskArtifact.abi, deskArtifact.bytecode, [manager]);
  await anvil.rpc("anvil_setBalance", [desk, `0x${(1n << 180n).toString(16)}`]);
  await anvil.rpc("anvil_setCode", [FEE_HOOKS, hooksArtifact.deployedBytecode]);
  const send = (to: Address, abi: Abi, functionName: string, ...args: readonly unknown[]) =>
    anvil.send(to, encodeFunctionData({ abi, functionName, args }));
  await send(manager, managerArtifact.abi, "setProtocolFeeController", account);
  await anvil.mine();

  const keyOf = ({ terms }: PoolRef) => ({
    ...{ currency0: terms.currency0, currency1: terms.currency1, fee: Number(terms.fee) },
    ...{ tickSpacing: Number(terms.tickSpacing), hooks: terms.hooks },
  });
  const modify: V4World["modify"] = (pool, lower, upper, liquidity) =>
    send(desk, deskArtifact.abi, "modify", keyOf(pool), lower, upper, liquidity);
  const setFee: V4World["setFee"] = (pool, fee) =>
    send(FEE_HOOKS, hooksArtifact.abi, "setFee", manager, keyOf(pool), fee);
  const setProtocolFees: V4World["setProtocolFees"] = (pool, first, second) =>
    send(manager, managerArtifact.abi, "setProtocolFee", keyOf(pool), first | (second << 12));
  const initialize: V4World["initialize"] = async (currencies, fee, tickSpacing, hooks, price) => {
    const [currency0, currency1] = currencies;
    const id = poolIdOf({ currencies, fee, tickSpacing, hooks });
    const terms = { currency0, currency1, fee: String(fee), tickSpacing: String(tickSpacing), hooks };
    const pool = { id, address: manager, tokens: currencies.map(tokenOf), terms };
    await send(manager, managerArtifact.abi, "initialize", keyOf(pool), price);
    await anvil.mine();
    return pool;
  };
  const functionOf = ({ exactIn }: Asked) => (exactIn ? "quoteExactInputSingle" : "quoteExactOutputSingle");

  return {
    ...{ manager, modify, setFee, setProtocolFees, initialize },
    source: uniswapV4({ protocol: "uniswap-v4", source: "Uniswap_V4", factory: manager, fromBlock: 0n }),
    spenders: [desk],
    tiers: [
      { fee: 100, spacing: 1, quotes: 15 },
      { fee: 500, spacing: 10, quotes: 45 },
      { fee: 3000, spacing: 60, quotes: 60 },
      { fee: DYNAMIC_FEE, spacing: 200, quotes: 60 },
    ],
    create(tokens, fee, price) {
      const spacing = { 100: 1, 500: 10, 3000: 60 }[fee] ?? 200;
      return initialize(tokens, fee, spacing, fee === DYNAMIC_FEE ? FEE_HOOKS : ZERO_ADDRESS, price);
    },
    mint: modify,
    swapExactIn: (pool, zeroForOne, amount) => send(desk, deskArtifact.abi, "swap", keyOf(pool), zeroForOne, amount),
    async disturb(pool) {
      await setProtocolFees(pool, 1_000, 77);
      if (pool.terms.hooks === FEE_HOOKS) await setFee(pool, 123_457);
    },
    quote(pool, asked) {
      const params = { poolKey: keyOf(pool), zeroForOne: asked.zeroForOne, exactAmount: asked.amount, hookData: "0x" };
      const call = { abi: quoterArtifact.abi, functionName: functionOf(asked), args: [params] };
      return { to: quoter, data: encodeFunctionData(call) };
    },
    decode(asked, data) {
      const call = { abi: quoterArtifact.abi, functionName: functionOf(asked), data };
      const [amount] = decodeFunctionResult(call) as readonly bigint[];
      return { amount: amount as bigint };
    },
  };
}
