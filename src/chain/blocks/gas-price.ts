import type { Clock } from "../rpc/clock.ts";
import { type Header, parseQuantity } from "../rpc/codec.ts";
import type { Provider } from "../rpc/provider.ts";

/** Suggested gas price for the block after this one, wei per gas. */
export type GasPrices = (header: Pick<Header, "baseFeePerGas">) => Promise<bigint>;

/** From one block to the next, a price is believed up to so many times what was usual, and down to so small a part of it. */
const MOST_CHANGE = 2n;
/** A suggestion holds for so long, but never below the base fee: on chains of fast blocks it hardly moves from one to the next. */
const KEPT_MS = 5_000;

/**
 * Prices as the followed node suggests them, never below the block's base fee. All nodes are asked: what most of them said
 * about the block before bounds what one may say now, so that an absurd answer neither makes routes out to be worthless nor
 * their gas to be free; only the first time are all waited for. Without any suggestion it is the usual price or, at first,
 * the base fee plus an eighth, the most that it can rise by (EIP-1559).
 */
export function createGasPrices(
  followed: Provider,
  others: () => readonly Provider[] = () => [],
  clock?: Pick<Clock, "elapsed">,
): GasPrices {
  /** Undefined before it is known, and on chains where gas is free. */
  let usual: bigint | undefined;

  const near = (price: bigint, usually: bigint) => least(most(price, usually / MOST_CHANGE), usually * MOST_CHANGE);

  /** The last suggestion, and when it was made. */
  let last: { readonly price: bigint; readonly at: number } | undefined;

  return async ({ baseFeePerGas = 0n }) => {
    const now = clock?.elapsed() ?? 0;
    if (clock !== undefined && last !== undefined && now - last.at < KEPT_MS) return most(last.price, baseFeePerGas);
    const before = usual;
    const suggestions = [followed, ...others()].map(suggestionOf);
    const heard = Promise.all(suggestions).then((all) => {
      const middle = middleOf(all.filter((price) => price !== undefined));
      if (middle === undefined) return;
      const price = most(before === undefined ? middle : near(middle, before), baseFeePerGas);
      usual = price === 0n ? undefined : price;
    });
    if (before === undefined) await heard;
    const usually = before ?? usual;
    const suggested = (await suggestions[0]) ?? usually ?? (baseFeePerGas * 9n) / 8n;
    const price = most(usually === undefined ? suggested : near(suggested, usually), baseFeePerGas);
    last = { price, at: now };
    return price;
  };
}

/** Gas price that the node suggests, wei per gas; undefined if it does not answer. */
async function suggestionOf(provider: Provider): Promise<bigint | undefined> {
  try {
    return parseQuantity(await provider.request("eth_gasPrice", [], { attempts: 1 }), "eth_gasPrice");
  } catch {
    return undefined;
  }
}

/** The middle one of some prices, of two the lower. */
function middleOf(prices: readonly bigint[]): bigint | undefined {
  return prices.toSorted((a, b) => (a < b ? -1 : 1))[(prices.length - 1) >> 1];
}

function most(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
