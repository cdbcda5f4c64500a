import type { Direction } from "../../../src/pools/pool-math.ts";

/** Every direction between so many tokens. */
export function directionsOf(count: number): readonly Direction[] {
  const tokens = Array.from({ length: count }, (_, i) => i);
  return tokens.flatMap((sell) => tokens.filter((buy) => buy !== sell).map((buy) => ({ sell, buy })));
}
