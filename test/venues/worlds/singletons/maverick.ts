import { type Abi, encodeFunctionData, erc20Abi, type Hex, numberToHex } from "viem";
import { type Address, toAddress } from "../../../../src/domain/address.ts";
import type { MaverickTick } from "../../../../src/pools/maverick/state.ts";
import type { MaverickRecord } from "../../../../src/venues/maverick/record.ts";
import { wordOf } from "../../../../src/venues/reading/words.ts";
import type { Anvil } from "../anvil.ts";
import { compiled } from "../compiled.ts";
import { mintedToken, setBalance } from "../traffic/minted-tokens.ts";

/** Terms that a pool is made with; amounts of its ticks have 18 decimals. */
export interface MaverickTerms {
  readonly tokens: readonly [Address, Address];
  readonly decimals: readonly [number, number];
  readonly fees: readonly [bigint, bigint];
  readonly tickSpacing: number;
  readonly activeTick: number;
  readonly protocolPart?: number;
  readonly kinds?: number;
  readonly accessor?: Address;
  readonly ticks: readonly MaverickTick[];
}

/** Maverick V2 on a test's chain: of the devnet's contracts, or of its makers'. */
export interface MaverickWorld {
  readonly record: MaverickRecord;
  create(terms: MaverickTerms): Promise<Address>;
}

type MakersTerm = "tokenA" | "tokenB" | "factory" | "feeAIn" | "feeBIn" | "tickSpacing" | "kinds" | "scaleA" | "scaleB";

/** A pool's runtime code of its makers, with the words of it that a pool is made with. */
export interface MakersPool {
  readonly runtime: Hex;
  /** Bytes at which the code has a term. */
  readonly places: Readonly<Record<MakersTerm, readonly number[]>>;
}

export const maverickPoolAbi = compiled("DevnetMaverickPool").abi;
const NOBODY = toAddress(`0x${"00".repeat(20)}`);
/** Kinds of a pool whose bins stay. */
export const STATIC = 1;
/** Slots of the makers' pools: the mapping of ticks, reserves of both tokens, and the rest of the state. */
const [TICKS_SLOT, RESERVES_SLOT, STATE_SLOT] = [3, 4, 5] as const;

/** Two tokens of these decimals, token A first. */
export async function tokensOf(anvil: Anvil, decimals: readonly [number, number]) {
  const made = [await mintedToken(anvil, decimals[0]), await mintedToken(anvil, decimals[1])] as const;
  const isInOrder = made[0] < made[1];
  return {
    tokens: (isInOrder ? made : made.toReversed()) as unknown as readonly [Address, Address],
    decimals: (isInOrder ? decimals : decimals.toReversed()) as unknown as readonly [number, number],
  };
}

/** The contracts of the devnet. */
export async function deployMaverick(anvil: Anvil): Promise<MaverickWorld> {
  const { factory, record, abi } = await deployFactory(anvil);
  return {
    record,
    async create(terms) {
      await anvil.send(factory, encodeFunctionData({ abi, functionName: "create", args: [termsOf(terms)] }));
      const [log] = await anvil.logsOf(await anvil.mine());
      const pool = toAddress(`0x${log!.data.slice(26, 66)}`);
      if (terms.protocolPart) await sendTo(anvil, pool, "setProtocolFeeRatio", [terms.protocolPart]);
      await place(anvil, pool, terms);
      await anvil.mine();
      return pool;
    },
  };
}

/** Pools with the code that stands on chains, in states that are written into their storage. */
export async function deployMaverickOfMakers(anvil: Anvil, makers: MakersPool): Promise<MaverickWorld> {
  const { factory, record, abi } = await deployFactory(anvil);
  let count = 0;
  return {
    record,
    async create(terms) {
      const pool = toAddress(`0x${(0xabc0000 + count++).toString(16).padStart(40, "0")}`);
      await anvil.rpc("anvil_setCode", [pool, codeOf(makers, factory, terms)]);
      await write(anvil, pool, terms);
      await anvil.send(factory, encodeFunctionData({ abi, functionName: "announce", args: [pool, termsOf(terms)] }));
      await anvil.mine();
      return pool;
    },
  };
}

async function deployFactory(anvil: Anvil) {
  const { abi, bytecode } = compiled("DevnetMaverickFactory");
  const factory = await anvil.deploy(abi, bytecode);
  return { abi, factory, record: { protocol: "maverick", source: "Maverick_V2", fromBlock: 0n, factory } as const };
}

function termsOf({ tokens, fees, tickSpacing, activeTick, kinds = STATIC, accessor = NOBODY }: MaverickTerms) {
  return {
    ...{ tokenA: tokens[0], tokenB: tokens[1], feeAIn: fees[0], feeBIn: fees[1], tickSpacing, lookback: 3_600 },
    ...{ activeTick, kinds, accessor, tokenAScale: 1, tokenBScale: 1 },
  };
}

/** Queues that ticks of one of the devnet's pools are given more; both tokens are the account's. */
export async function place(anvil: Anvil, pool: Address, { tokens, ticks }: Pick<MaverickTerms, "tokens" | "ticks">) {
  const approval = encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [pool, 1n << 200n] });
  for (const token of tokens) await anvil.send(token, approval);
  await sendTo(anvil, pool, "place", [
    ticks.map(({ index }) => index),
    ticks.map(({ reserveA }) => reserveA),
    ticks.map(({ reserveB }) => reserveB),
  ]);
}

/** Queues a call of a pool's function, for the test's account. */
export async function sendTo(anvil: Anvil, pool: Address, functionName: string, args: readonly unknown[]) {
  await anvil.send(pool, encodeFunctionData({ abi: maverickPoolAbi as Abi, functionName, args }));
}

function codeOf({ runtime, places }: MakersPool, factory: Address, terms: MaverickTerms): Hex {
  const [scaleA, scaleB] = terms.decimals.map((decimals) => 10n ** BigInt(18 - decimals)) as [bigint, bigint];
  const values: Readonly<Record<MakersTerm, bigint>> = {
    ...{ tokenA: BigInt(terms.tokens[0]), tokenB: BigInt(terms.tokens[1]), factory: BigInt(factory) },
    ...{ feeAIn: terms.fees[0], feeBIn: terms.fees[1], tickSpacing: BigInt(terms.tickSpacing) },
    ...{ kinds: BigInt(terms.kinds ?? STATIC), scaleA, scaleB },
  };
  let code: string = runtime;
  for (const [name, positions] of Object.entries(places))
    for (const at of positions) {
      const start = 2 + 2 * at;
      code = code.slice(0, start) + wordOf(values[name as keyof typeof values]) + code.slice(start + 64);
    }
  return code as Hex;
}

/** Writes a state into a pool of the makers'. */
async function write(
  anvil: Anvil,
  pool: Address,
  { tokens, decimals, activeTick, protocolPart = 0, ticks }: MaverickTerms,
) {
  const set = (slot: Hex, value: bigint) =>
    anvil.rpc("anvil_setStorageAt", [pool, slot, numberToHex(value, { size: 32 })]);
  const both = (a: bigint, b: bigint) => (b << 128n) | a;
  let sums = [0n, 0n] as readonly bigint[];
  for (const { index, reserveA, reserveB } of ticks) {
    const slot = await anvil.rpc<Hex>("web3_sha3", [`0x${wordOf(index)}${wordOf(TICKS_SLOT)}`]);
    await set(slot, both(reserveA, reserveB));
    await set(numberToHex(BigInt(slot) + 1n, { size: 32 }), 10n ** 18n);
    sums = [sums[0]! + reserveA, sums[1]! + reserveB];
  }
  const reserves = sums.map((sum, at) => sum / 10n ** BigInt(18 - decimals[at]!) + 1n) as [bigint, bigint];
  await set(numberToHex(RESERVES_SLOT, { size: 32 }), both(...reserves));
  for (const [at, token] of tokens.entries()) await setBalance(anvil, token, pool, reserves[at]!);
  const { timestamp } = await anvil.head();
  // The average price, the last one and its time, the tick, how many bins there are, and the protocol's part.
  const average = BigInt.asUintN(64, BigInt(activeTick) * 10n ** 8n + 5n * 10n ** 7n);
  const parts = [
    [average, 0n],
    [average, 64n],
    [timestamp, 128n],
    [BigInt.asUintN(32, BigInt(activeTick)), 168n],
    [1n, 208n],
    [BigInt(protocolPart), 240n],
  ] as const;
  await set(
    numberToHex(STATE_SLOT, { size: 32 }),
    parts.reduce((word, [value, shift]) => word | (value << shift), 0n),
  );
}

/** Swap as a pool is asked for it. */
export interface MaverickSwap {
  readonly sellsA: boolean;
  readonly exactOut: boolean;
  readonly amount: bigint;
  readonly tickLimit: number;
}

/** Calldata of a swap for which the pool was paid. */
export function swapData(to: Address, { amount, sellsA, exactOut, tickLimit }: MaverickSwap): Hex {
  const params = { amount, tokenAIn: sellsA, exactOutput: exactOut, tickLimit };
  return encodeFunctionData({ abi: maverickPoolAbi as Abi, functionName: "swap", args: [to, params, "0x"] });
}

/** Amounts in and out of a swap at the head by the contract itself, which holds enough for any, or its refusal in words. */
export async function swapAt(
  anvil: Anvil,
  pool: Address,
  swap: MaverickSwap,
): Promise<readonly [bigint, bigint] | string> {
  try {
    const call = { from: anvil.account, to: pool, data: swapData(anvil.account, swap), gas: "0x1dcd6500" };
    const answer = await anvil.rpc<Hex>("eth_call", [call, "latest"]);
    return [BigInt(answer.slice(0, 66)), BigInt(`0x${answer.slice(66, 130)}`)];
  } catch (error) {
    return String(error);
  }
}
