import type { Direction } from "../pool-math.ts";

/** Gas of one exchange of two tokens, approval and tweak of the internal price included; test/promise/gas-of-touches.test.ts. */
const OF_TWO = 286_000n;
/** Of three tokens, with the first one; between the two others the contract that we measure tweaks no price. */
const OF_THREE = 335_000n;
const OF_OTHERS = 254_000n;

/** Without a direction: the least of any. */
export function cryptoswapGas(tokens: number, direction?: Direction): bigint {
  if (tokens === 2) return OF_TWO;
  return direction?.sell === 0 || direction?.buy === 0 ? OF_THREE : OF_OTHERS;
}
