import { encodeFunctionData, erc20Abi } from "viem";
import { devnetLayout } from "../../../../src/devnet/markets/devnet-layout.ts";
import { type Address, NATIVE_TOKEN } from "../../../../src/domain/address.ts";
import { sqrtRatioAtTick } from "../../../../src/math/tick-math.ts";
import { type Anvil, anvilOver } from "../../../venues/worlds/anvil.ts";
import type { TestDevnet } from "../devnet.ts";

/** Two tokens of the devnet as pools have them, the native token ("ETH") or the lower address first. */
export interface DevnetPair {
  readonly tokens: readonly [Address, Address];
  readonly decimals: readonly [number, number];
  /** Base units of the second token that a base unit of the first is worth. */
  readonly price: number;
  /** Base units of the second token for a dollar. */
  readonly dollar: number;
}

/** The devnet, as the worlds of venues want a chain: its whale sends everything. */
export interface DevnetPlace extends Anvil {
  pair(one: string, other: string): DevnetPair;
  /** Lets contracts spend the whale's tokens. */
  approve(tokens: readonly Address[], spenders: readonly Address[]): Promise<void>;
}

/** Below what one transaction may take (EIP-7825). */
const GAS = "0xf00000";
const WITHOUT_END = (1n << 256n) - 1n;

export function placeOn({ rpc, chain, whale }: TestDevnet): DevnetPlace {
  const { token } = devnetLayout(whale);
  const stop = async () => {};
  const anvil = anvilOver({ rpc, account: whale, gas: GAS, multicall: chain.multicall3, stop });
  return {
    ...anvil,
    pair(one, other) {
      const named = (symbol: string) =>
        symbol === "ETH" ? { ...token("WETH"), address: NATIVE_TOKEN } : token(symbol);
      const place = ({ address }: Held) => (address === NATIVE_TOKEN ? "" : address);
      const [low, high] = [named(one), named(other)].sort((a, b) => (place(a) < place(b) ? -1 : 1)) as [Held, Held];
      const unit = ({ picoUsd, decimals }: Held) => Number(picoUsd) / 1e12 / 10 ** decimals;
      return {
        tokens: [low.address, high.address],
        decimals: [low.decimals, high.decimals],
        price: unit(low) / unit(high),
        dollar: 1 / unit(high),
      };
    },
    async approve(tokens, spenders) {
      for (const address of tokens.filter((each) => each !== NATIVE_TOKEN))
        for (const spender of spenders) {
          const args = [spender, WITHOUT_END] as const;
          await anvil.send(address, encodeFunctionData({ abi: erc20Abi, functionName: "approve", args }));
        }
      await anvil.mine();
    },
  };
}

type Held = ReturnType<ReturnType<typeof devnetLayout>["token"]>;

/** Tick of a price, whose base is 1.0001 at Uniswap V3 and its forks. */
export function tickOf({ price }: Pick<DevnetPair, "price">, base = 1.0001): number {
  return Math.floor(Math.log(price) / Math.log(base));
}

export function sqrtPriceOf(pair: DevnetPair): bigint {
  return sqrtRatioAtTick(tickOf(pair));
}

/** Liquidity of a position whose part of the second token is worth so many dollars, `width` ticks below the price. */
export function liquidityOf(pair: DevnetPair, usd: number, width: number, base = 1.0001): bigint {
  return BigInt(Math.floor((usd * pair.dollar) / (Math.sqrt(pair.price) * (1 - base ** (-width / 2)))));
}
