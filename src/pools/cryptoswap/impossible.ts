import { unless } from "../curve/faults.ts";
import type { CryptoswapState } from "./state.ts";

/** Why no contract can be in such a state; undefined where one can. */
export function impossibleCryptoswap({
  balances: { length },
  precisions,
  priceScale,
  generation,
}: CryptoswapState): string | undefined {
  if (generation !== undefined && length !== 3) return "generation: of another number of tokens";
  return unless(
    (length === 2 || length === 3) && precisions.length === length && priceScale.length === length - 1,
    "balances, precisions and priceScale do not belong together",
  );
}
