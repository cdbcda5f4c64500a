import { unless } from "../faults.ts";
import type { CryptoswapState } from "./state.ts";

/** As `impossible` of a curve. */
export function impossibleCryptoswap({
  balances: { length },
  precisions,
  priceScale,
}: CryptoswapState): string | undefined {
  return unless(
    (length === 2 || length === 3) && precisions.length === length && priceScale.length === length - 1,
    "balances, precisions and priceScale do not belong together",
  );
}
