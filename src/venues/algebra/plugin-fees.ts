import { toFunctionSelector } from "viem";
import type { Address, Hex } from "../../domain/address.ts";
import type { Call } from "../../market/chain-reader.ts";
import type { ConcentratedState } from "../../pools/concentrated/state.ts";
import { swap } from "../../pools/concentrated/swap.ts";
import type { Pool } from "../../pools/pool.ts";
import { addressOf } from "../reading/address-as-id.ts";
import { callGroups } from "../reading/call-groups.ts";
import { uintAt, wordOf } from "../reading/words.ts";
import type { ChainAt } from "../uniswap-v3/heads.ts";
import type { AlgebraRecord } from "./record.ts";

const TRY_EXACT_IN = toFunctionSelector("quoteExactInputSingle((address,address,address,uint256,uint160))");
const FEE = toFunctionSelector("fee()");
/** Fees are kept in 16 bits. */
const MAX_FEE = 65_535;
/** Part of the price, of 2^96, that a tried swap moves it by: about a twenty-fifth. The larger, the more fees it tells apart. */
const MOVED = (1n << 96n) / 50n;
const WAYS = [
  { sell: 0, buy: 1 },
  { sell: 1, buy: 0 },
] as const;

type Plugged = Extract<Pool, { curve: "concentrated" }>;

/** Swaps that were tried at the quoter, each way, and what they bring. */
type Tried = readonly { readonly sellAmount: bigint; readonly buyAmount: bigint | undefined }[];

/**
 * Returns the pools with the fees that swaps in block `at` pay, the same objects where nothing changes. A plugin works the fee
 * out in the swap itself and no contract tells it to the last digit: the venue's quoter tries a swap each way, and the fee is the
 * one by which our maths say the same. A pool without such a fee is left out.
 */
export async function withPluginFees(
  { quoter }: Pick<AlgebraRecord, "quoter">,
  { chain, at }: ChainAt,
  pools: readonly Pool[],
): Promise<readonly Pool[]> {
  const calls = pools.map((pool) => (isPlugged(pool) && quoter !== undefined ? callsFor(quoter, pool) : []));
  const answers = await callGroups(chain, calls, at);
  return pools.flatMap((pool, index): Pool[] => {
    if (!isPlugged(pool)) return [pool];
    const [told = "0x", ...outputs] = answers[index] ?? [];
    const amounts = outputs.map((output) => (output === undefined ? undefined : uintAt(output, 0)));
    const tried = WAYS.map(({ sell }, way) => ({ sellAmount: amountFor(pool.state, sell), buyAmount: amounts[way] }));
    const feePpm = feeBy(pool.state, Number(uintAt(told, 0, 16) ?? 0n), tried);
    if (feePpm === undefined) return [];
    return [pool.state.feePpm === feePpm ? pool : { ...pool, state: { ...pool.state, feePpm } }];
  });
}

/** Whether a plugin sets the pool's fee. */
export function isPlugged(pool: Pool): pool is Plugged {
  return pool.curve === "concentrated" && pool.state.deployer !== undefined;
}

function callsFor(quoter: Address, pool: Plugged): readonly Call[] {
  const tried = WAYS.map(({ sell, buy }): Call => {
    const addresses = [pool.tokens[sell], pool.tokens[buy], pool.state.deployer] as readonly Address[];
    const words = [...addresses.map(BigInt), amountFor(pool.state, sell), 0n].map(wordOf).join("");
    return { to: quoter, data: `${TRY_EXACT_IN}${words}` as Hex };
  });
  return [{ to: addressOf(pool), data: FEE }, ...tried];
}

/** Amount of a token that moves the price a little by the active liquidity. */
function amountFor({ liquidity, sqrtPriceX96 }: ConcentratedState, sell: number): bigint {
  const amount = sell === 0 ? (liquidity * MOVED) / sqrtPriceX96 : (liquidity * ((sqrtPriceX96 * MOVED) >> 96n)) >> 96n;
  return amount > 0n ? amount : 1n;
}

/**
 * The only fee by which the maths bring what was tried. Undefined where there is none, or where others bring the same: too little
 * liquidity is active for the base units to tell them apart.
 */
function feeBy(state: ConcentratedState, told: number, tried: Tried): number | undefined {
  // As much of an amount as the liquidity takes, which is what the quoter tries.
  const brings = (feePpm: number, way: number): bigint =>
    swap({ ...state, feePpm }, way === 0, true, tried[way]?.sellAmount ?? 0n).amountOut;
  const isSame = (feePpm: number) =>
    tried.every(({ buyAmount }, way) => buyAmount === undefined || brings(feePpm, way) === buyAmount);
  const isOnly = (feePpm: number) => isSame(feePpm) && !isSame(feePpm - 1) && !isSame(feePpm + 1);
  const answered = tried.findIndex(({ buyAmount }) => buyAmount !== undefined);
  if (answered === -1) return undefined;
  if (told > 0 && isOnly(told)) return told;
  const aim = tried[answered]?.buyAmount as bigint;
  let [low, high] = [1, MAX_FEE];
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (brings(middle, answered) >= aim) low = middle;
    else high = middle - 1;
  }
  return isOnly(low) ? low : undefined;
}
