import { erc20Abi, maxUint256 } from "viem";
import { type Address, NATIVE_TOKEN } from "../../domain/address.ts";
import { deploymentOf, ownContract } from "../contracts/own-contracts.ts";
import { callWith, type Transaction } from "../node/node-transactions.ts";
import type { DevnetLayout, DevnetToken } from "../plan/layout.ts";
import { liquidityFor, type PositionShape, positionsOf, sqrtPriceX96, unitsWorth } from "../plan/liquidity.ts";

/** A pool of a venue whose makers publish no router: the devnet's desk fills it. */
export interface DeskPool {
  readonly tokens: readonly [string, string];
  /** Value of one side, in USD. */
  readonly sideUsd: bigint;
  /** Premium of token 0 over its catalog price, in parts per million. */
  readonly offsetPpm: bigint;
}

/** A desk pool with its tokens in the pool's order and its first price. */
export interface PricedPool extends DeskPool {
  readonly token0: DevnetToken;
  readonly token1: DevnetToken;
  readonly price: bigint;
}

const DESK = "DevnetDesk";
/** Half widths of the positions, in tick spacings. */
const HALF_WIDTHS = [18, 70, 350] as const;

/** Address of the desk. */
export function deskAddress(): Address {
  return deploymentOf(ownContract(DESK)).address;
}

/** Deploys the desk and lets it take the whale's tokens. */
export function openDesk({ tokens }: Pick<DevnetLayout, "tokens">): readonly Transaction[] {
  const { address, transaction } = deploymentOf(ownContract(DESK));
  const token = callWith(erc20Abi);
  return [transaction, ...tokens.map((each) => token("approve", each.address, [address, maxUint256]))];
}

/** ETH is the native token, which stands before every other in a pool. */
export function priced(layout: DevnetLayout, pool: DeskPool): PricedPool {
  const [a, b] = pool.tokens.map((symbol) =>
    symbol === "ETH" ? { ...layout.token("WETH"), symbol, address: NATIVE_TOKEN } : layout.token(symbol),
  ) as [DevnetToken, DevnetToken];
  const [token0, token1] = a.address === NATIVE_TOKEN || a.address < b.address ? [a, b] : [b, a];
  return { ...pool, token0, token1, price: sqrtPriceX96(token0, token1, pool.offsetPpm) };
}

/** The pool's five positions with their liquidity. */
export function deskPositions(
  { token0, token1, price, sideUsd, offsetPpm }: PricedPool,
  spacing: number,
): readonly (PositionShape & { readonly liquidity: bigint })[] {
  return positionsOf(price, spacing, HALF_WIDTHS, offsetPpm < 0n ? "above" : "below").map((shape) => {
    const usd = (sideUsd * shape.percent) / 100n;
    return { ...shape, liquidity: liquidityFor(price, shape, [unitsWorth(token0, usd), unitsWorth(token1, usd)]) };
  });
}

/** The desk's transactions that give a pool its positions. */
export function fill(pool: Address, positions: ReturnType<typeof deskPositions>): readonly Transaction[] {
  const desk = callWith(ownContract(DESK).abi);
  return positions.map(({ tickLower, tickUpper, liquidity }) =>
    desk("mint", deskAddress(), [pool, tickLower, tickUpper, liquidity]),
  );
}
