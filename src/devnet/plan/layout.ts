import type { Address } from "../../domain/address.ts";
import type { Token } from "../../domain/token.ts";

/** Addresses of the venues' contracts. They are equal at every start, since the whale deploys in a fixed order. */
export interface DevnetContracts {
  readonly multicall3: Address;
  readonly weth: Address;
  readonly uniswapV2Factory: Address;
  readonly uniswapV2Router: Address;
  readonly pancakeV2Factory: Address;
  readonly uniswapV3Factory: Address;
  readonly positionManager: Address;
  readonly swapRouter: Address;
  readonly quoterV2: Address;
  readonly tickLens: Address;
  readonly solidlyFactory: Address;
  readonly slipstreamFactory: Address;
  readonly desk: Address;
  readonly pancakeV3Factory: Address;
  readonly poolManager: Address;
  readonly algebraFactory: Address;
  readonly liquidityBookFactory: Address;
  readonly clPoolManager: Address;
}

/** A token with what the devnet knows about it. */
export interface DevnetToken extends Token {
  readonly picoUsd: bigint;
  readonly returnless: boolean;
  /** Made by a wrapper or a pool, which is deployed after the other tokens. */
  readonly wrapper?: true;
}

export interface DevnetLayout {
  readonly contracts: DevnetContracts;
  /** The wrapped native token first, then the others in the order of their deployment, those of wrappers last. */
  readonly tokens: readonly DevnetToken[];
  /** @throws Error when there is no such token. */
  token(symbol: string): DevnetToken;
  /** Address of the pair of two tokens at a constant-product venue. */
  pairAddress(venue: "uniswap-v2" | "pancake-v2", a: Address, b: Address): Address;
}
