import { unless } from "../curve/faults.ts";
import type { KuruLevel, KuruSide, KuruState } from "./state.ts";
import { BPS, MOST_96 } from "./steps.ts";

/** Prices of levels have 32 bits, and the highest is none (OrderBook.sol: addBuyOrder). */
const PRICE_END = (1n << 32n) - 1n;
/** More base units has no token that anybody trades; amounts of 96 bits times so many stay below 256 bits. */
const MOST_UNITS = 10n ** 36n;
/** The vault's prices times sizes of 96 bits stay below 256 bits. */
const MOST_VAULT_PRICE = 1n << 140n;
/** The spread is below so many parts of 10,000 (OrderBook.sol: initialize). */
const SPREAD_END = 500;

/** Why no market can be in such a state, or none that is served; undefined where one can. */
export function impossibleKuru({
  units,
  precisions,
  takerFee,
  spread,
  bidSide,
  askSide,
}: KuruState): string | undefined {
  const [sizes, prices] = precisions;
  if (!units.every((unit) => isPowerOfTen(unit) && unit <= MOST_UNITS)) return "units of no token";
  if (!isPowerOfTen(sizes) || !isPowerOfTen(prices)) return "precisions that are no powers of ten";
  if (sizes > MOST_96 || prices > PRICE_END) return "precisions of too many bits";
  if (takerFee < 0 || takerFee >= Number(BPS)) return "takerFee: all or more of what a taker gets";
  if (spread <= 0 || spread >= SPREAD_END) return "spread of no vault";
  return (
    faultOf("bidSide", bidSide, (one, other) => one > other) ?? faultOf("askSide", askSide, (one, other) => one < other)
  );
}

function faultOf(
  name: string,
  { levels, vault }: KuruSide,
  isBetter: (one: bigint, other: bigint) => boolean,
): string | undefined {
  const isInOrder = ({ price }: KuruLevel, index: number) =>
    index === 0 || isBetter((levels[index - 1] as KuruLevel).price, price);
  if (!levels.every(isInOrder)) return `${name}: levels out of order`;
  const isLevel = ({ price, size }: KuruLevel) => price > 0n && price < PRICE_END && size <= MOST_96;
  if (!levels.every(isLevel)) return `${name}: a level of too many bits`;
  if (vault === undefined) return undefined;
  const { price, size, filled } = vault;
  return unless(
    price > 0n && price <= MOST_VAULT_PRICE && size <= MOST_96 && filled <= MOST_96,
    `${name}: a vault's order of too many bits`,
  );
}

function isPowerOfTen(value: bigint): boolean {
  let rest = value;
  while (rest > 1n && rest % 10n === 0n) rest /= 10n;
  return rest === 1n;
}
