import { MAX_UINT256 } from "../../math/full-math.ts";

const TEN_18 = 10n ** 18n;
/** From here on there is no room for 36 more decimals. */
const NO_ROOM_FOR_36 = MAX_UINT256 / 10n ** 36n;

/** The cube root of a number of 18 decimals, with the seven rounds of Newton's method that the contracts take (_cbrt). */
export function cubeRoot(value: bigint): bigint {
  if (value === 0n) return 0n;
  const scale = value >= NO_ROOM_FOR_36 * TEN_18 ? 2 : value >= NO_ROOM_FOR_36 ? 1 : 0;
  const scaled = [value * TEN_18 * TEN_18, value * TEN_18, value][scale] as bigint;
  const log2 = BigInt(scaled.toString(2).length - 1);
  let root = (2n ** (log2 / 3n) * 1260n ** (log2 % 3n)) / 1000n ** (log2 % 3n);
  for (let round = 0; round < 7; round++) root = (2n * root + scaled / (root * root)) / 3n;
  return root * 10n ** BigInt(6 * scale);
}
