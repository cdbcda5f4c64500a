import {
  type Abi,
  concat,
  decodeFunctionResult,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  keccak256,
  numberToHex,
  size,
} from "viem";
import { type Address, toAddress } from "../../../../src/domain/address.ts";
import { type AquaOrder, strategyOf } from "../../../../src/venues/aqua/order.ts";
import type { AquaRecord } from "../../../../src/venues/aqua/record.ts";
import { refOf } from "../../../../src/venues/aqua/strategies.ts";
import type { Anvil } from "../anvil.ts";
import { compiled } from "../compiled.ts";
import { allow, mintedToken, setBalance } from "../traffic/minted-tokens.ts";

/** A contract as it was compiled. */
interface Contract {
  readonly abi: Abi;
  readonly bytecode: Hex;
}

/** Aqua and its router on a test's chain: of the devnet's contracts, or of their makers'. */
export interface AquaWorld {
  readonly record: AquaRecord;
  /** The account that ships strategies; the test's account trades with them. */
  readonly maker: Address;
}

/** A strategy that is shipped: what Aqua counts of it, and what the maker has. */
export interface StrategyTerms {
  readonly tokens: readonly [Address, Address];
  readonly data: Hex;
  readonly amounts: readonly [bigint, bigint];
  readonly wallets: readonly [bigint, bigint];
  readonly traits?: bigint;
}

/** One swap of the router: exact-in or exact-out, token `sell` for the other. */
export interface AquaSwap {
  readonly tokens: readonly Address[];
  readonly sell: number;
  readonly amount: bigint;
  readonly isExactIn: boolean;
}

export const USES_AQUA = 1n << 254n;
const aquaAbi = compiled("DevnetAqua").abi;
const routerAbi = compiled("DevnetAquaRouter").abi;
/** Ends of the taker's slices, all of them empty. */
const NO_SLICES: Hex = `0x${"00".repeat(20)}`;
const [EXACT_IN, EXACT_OUT] = ["0x0041", "0x0040"] as const;

/** Instructions of the router, as bytes of a program. */
export const instruction = {
  deadline: (time: bigint) => instructionOf(0x0d, numberToHex(time, { size: 5 })),
  product: () => instructionOf(0x11, "0x"),
  range: (sqrtMin: bigint, sqrtMax: bigint) => instructionOf(0x12, words(sqrtMin, sqrtMax)),
  salt: (salt: bigint) => instructionOf(0x14, numberToHex(salt, { size: 8 })),
  flatFee: (rate: bigint) => instructionOf(0x15, numberToHex(rate, { size: 4 })),
  protocolFee: (rate: bigint, to: Address) => instructionOf(0x1c, concat([numberToHex(rate, { size: 4 }), to])),
  pegged: (...terms: readonly [bigint, bigint, bigint, bigint, bigint]) => instructionOf(0x1f, words(...terms)),
} as const;

export function instructionOf(number: number, args: Hex): Hex {
  return concat([numberToHex(number, { size: 1 }), numberToHex(size(args), { size: 1 }), args]);
}

function words(...values: readonly bigint[]): Hex {
  return concat(values.map((value) => numberToHex(value, { size: 32 })));
}

/** Two tokens of these decimals, in the order of their addresses; the decimals are swapped with them. */
export async function sortedTokens(anvil: Anvil, decimals: readonly [number, number]) {
  const made = [
    { token: await mintedToken(anvil, decimals[0]), digits: decimals[0] },
    { token: await mintedToken(anvil, decimals[1]), digits: decimals[1] },
  ].sort((one, other) => (one.token < other.token ? -1 : 1));
  return {
    tokens: made.map(({ token }) => token) as [Address, Address],
    decimals: made.map(({ digits }) => digits) as [number, number],
  };
}

/** The contracts of the devnet. */
export async function deployAqua(anvil: Anvil): Promise<AquaWorld> {
  const aqua = await anvil.deploy(aquaAbi, compiled("DevnetAqua").bytecode);
  const router = await anvil.deploy(routerAbi, compiled("DevnetAquaRouter").bytecode, [aqua]);
  return worldOf(anvil, aqua, router);
}

/** Contracts of their makers' sources, which another folder has compiled. */
export async function deployAquaOfMakers(anvil: Anvil, of: (name: string) => Contract): Promise<AquaWorld> {
  const aqua = await anvil.deploy(of("Aqua").abi, of("Aqua").bytecode);
  const { abi, bytecode } = of("AquaSwapVMRouter");
  const args = [aqua, aqua, anvil.account, "1inch SwapVM v1.0", "1.0.2"];
  return worldOf(anvil, aqua, await anvil.deploy(abi, bytecode, args));
}

async function worldOf(anvil: Anvil, aqua: Address, router: Address): Promise<AquaWorld> {
  const [, second] = await anvil.rpc<readonly string[]>("eth_accounts");
  await anvil.rpc("anvil_setBalance", [second, `0x${(1n << 100n).toString(16)}`]);
  return {
    record: { protocol: "aqua", source: "Aqua", fromBlock: 0n, aqua, router },
    maker: toAddress(second as string),
  };
}

/** Ships a strategy, funds its maker's wallet and lets Aqua and the router draw; its reference. */
export async function ship(anvil: Anvil, { record, maker }: AquaWorld, terms: StrategyTerms) {
  const { tokens, data, amounts, wallets, traits = USES_AQUA } = terms;
  const order: AquaOrder = { maker, traits, data };
  await sendAs(anvil, maker, record.aqua, {
    ...{ functionName: "ship", args: [record.router, strategyOf(order), tokens, amounts] },
  });
  for (const [index, token] of tokens.entries()) {
    await setBalance(anvil, token, maker, wallets[index]!);
    await allow(anvil, token, maker, record.aqua);
    await allow(anvil, token, anvil.account, record.router);
  }
  await anvil.mine();
  return { order, hash: keccak256(strategyOf(order)), ref: refOf(record, order, tokens) };
}

/** Queues a call of Aqua's, from an account of the node's. */
export async function sendAs(
  anvil: Anvil,
  from: Address,
  to: Address,
  call: { readonly functionName: string; readonly args: readonly unknown[] },
): Promise<void> {
  const data = encodeFunctionData({ abi: aquaAbi, ...call });
  await anvil.rpc("eth_sendTransaction", [{ from, to, data, gas: "0x989680" }]);
}

/** Lets Aqua draw so much of a token of an account of the node's. */
export async function approveAs(anvil: Anvil, from: Address, token: Address, spender: Address, amount: bigint) {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [spender, amount] });
  await anvil.rpc("eth_sendTransaction", [{ from, to: token, data, gas: "0x989680" }]);
}

/** Calldata of a swap. */
export function swapData(order: AquaOrder, { tokens, sell, amount, isExactIn }: AquaSwap): Hex {
  const taker = concat([NO_SLICES, isExactIn ? EXACT_IN : EXACT_OUT]);
  const args = [order, tokens[sell], tokens[1 - sell], amount, taker];
  return encodeFunctionData({ abi: routerAbi, functionName: "swap", args });
}

/** The other amount of a swap that the router itself makes at the head, or its refusal in words. */
export async function swapAt(
  anvil: Anvil,
  { record }: AquaWorld,
  order: AquaOrder,
  swap: AquaSwap,
): Promise<bigint | string> {
  try {
    const call = { from: anvil.account, to: record.router, data: swapData(order, swap), gas: "0x989680" };
    const data = await anvil.rpc<Hex>("eth_call", [call, "latest"]);
    const [amountIn, amountOut] = decodeFunctionResult({ abi: routerAbi, functionName: "swap", data }) as [
      bigint,
      bigint,
    ];
    return swap.isExactIn ? amountOut : amountIn;
  } catch (error) {
    return String(error);
  }
}
