import { type Address, type Hex, ZERO_ADDRESS } from "../../domain/address.ts";
import { addressAt, uintAt, wordOf } from "../reading/words.ts";

/** An order of the SwapVM, as it is shipped to Aqua. */
export interface AquaOrder {
  readonly maker: Address;
  readonly traits: bigint;
  readonly data: Hex;
}

/** Bits of the traits (1inch/swap-vm, MakerTraits.sol): balances are Aqua's; nothing may be paid in for something. */
const USES_AQUA = 1n << 254n;
const ALLOWS_NOTHING_IN = 1n << 253n;
/** Flags of hooks before and after either transfer. */
const HOOKS = 0xfn << 249n;
const RECEIVER = (1n << 160n) - 1n;
/** Longer data is not read. */
const MAX_DATA_BYTES = 8_192n;
/** Words before an order's data: where the order begins, maker, traits, where the data begins, its length. */
const HEAD_WORDS = 5;

/** The order of a strategy's bytes; undefined where these are not exactly what the router makes of one. */
export function orderOf(strategy: Hex): AquaOrder | undefined {
  const [maker, traits, length] = [addressAt(strategy, 1), uintAt(strategy, 2), uintAt(strategy, 4)];
  if (maker === undefined || traits === undefined || length === undefined || length > MAX_DATA_BYTES) return undefined;
  const start = 2 + HEAD_WORDS * 64;
  const data: Hex = `0x${strategy.slice(start, start + 2 * Number(length))}`;
  const order = { maker, traits, data };
  return strategyOf(order) === strategy ? order : undefined;
}

/** An order's bytes, of which Aqua and the router take the hash. */
export function strategyOf({ maker, traits, data }: AquaOrder): Hex {
  const digits = data.slice(2);
  const words = [32, BigInt(maker), traits, 96, digits.length / 2].map(wordOf);
  return `0x${words.join("")}${digits.padEnd(Math.ceil(digits.length / 64) * 64, "0")}`;
}

/** Whether a swap calls hooks of the maker's. */
export function callsHooks({ traits }: AquaOrder): boolean {
  return (traits & HOOKS) !== 0n;
}

/** Whether an order trades Aqua's balances, for its maker alone, and has nothing in its data but the program. */
export function isPlain({ maker, traits }: AquaOrder): boolean {
  const receiver = traits & RECEIVER;
  const isOwn = receiver === BigInt(ZERO_ADDRESS) || receiver === BigInt(maker);
  return isOwn && (traits & ~RECEIVER & ~ALLOWS_NOTHING_IN) === USES_AQUA;
}
