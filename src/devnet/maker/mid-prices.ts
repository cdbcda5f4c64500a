import { type Hex, toFunctionSelector } from "viem";
import type { Address } from "../../domain/address.ts";
import type { JsonRpc } from "../node/json-rpc.ts";
import type { DevnetLayout } from "../plan/layout.ts";
import type { MidPrice } from "./book.ts";

const GET_RESERVES = toFunctionSelector("getReserves()");

/** The pairs' middle prices at a block: the reserves of their Uniswap V2 pairs, and nothing else. */
export async function readMidPrices(
  rpc: JsonRpc,
  layout: DevnetLayout,
  symbols: readonly (readonly [string, string])[],
  block: Hex,
): Promise<readonly MidPrice[]> {
  const pairs = symbols.map(([base, quote]) => [layout.token(base).address, layout.token(quote).address] as const);
  const answers = await rpc.batch<Hex>(
    pairs.map(([base, quote]) => ({
      method: "eth_call",
      params: [{ to: layout.pairAddress("uniswap-v2", base, quote), data: GET_RESERVES }, { blockHash: block }],
    })),
  );
  return pairs.map(([base, quote], i) => {
    const [reserve0, reserve1] = reservesOf(answers[i] as Hex);
    return base < quote ? middle(base, quote, reserve0, reserve1) : middle(base, quote, reserve1, reserve0);
  });
}

function middle(base: Address, quote: Address, baseAmount: bigint, quoteAmount: bigint): MidPrice {
  return { base, quote, baseAmount, quoteAmount };
}

function reservesOf(words: Hex): readonly [bigint, bigint] {
  return [BigInt(`0x${words.slice(2, 66)}`), BigInt(`0x${words.slice(66, 130)}`)];
}
