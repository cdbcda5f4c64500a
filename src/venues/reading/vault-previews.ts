import { toFunctionSelector } from "viem";
import type { Address } from "../../domain/address.ts";
import type { Call } from "../../market/chain-reader.ts";
import { divRoundingUp } from "../../math/full-math.ts";
import type { ShareRate } from "../../pools/vault/share-math.ts";
import { wordOf } from "./words.ts";

/** Each of the four ways through a vault with what it is asked about: in and out, by what goes in and by what comes out. */
const PREVIEWS = [
  { selector: toFunctionSelector("previewDeposit(uint256)"), sell: 0, exactIn: true },
  { selector: toFunctionSelector("previewMint(uint256)"), sell: 0, exactIn: false },
  { selector: toFunctionSelector("previewRedeem(uint256)"), sell: 1, exactIn: true },
  { selector: toFunctionSelector("previewWithdraw(uint256)"), sell: 1, exactIn: false },
] as const;
/** An odd amount, so that roundings show; a large one, so that a rate of other totals does. */
const PROBES = [1_000_003n, 10n ** 30n + 57n] as const;
const ASKED = PROBES.flatMap((probe) => PREVIEWS.map((way) => ({ ...way, probe })));

/** The calls whose answers `previewsAgree` takes. */
export function previewCalls(to: Address): readonly Call[] {
  return ASKED.map(({ selector, probe }) => ({ to, data: `${selector}${wordOf(probe)}` as const }));
}

/** Whether an ERC-4626 vault's previews are this rate, rounded for the vault. Limits are not a preview's business. */
export function previewsAgree({ assets, shares }: ShareRate, previews: readonly (bigint | undefined)[]): boolean {
  return ASKED.every(({ sell, exactIn, probe }, index) => {
    const [sold, bought] = sell === 0 ? [assets, shares] : [shares, assets];
    const expected = exactIn ? (probe * bought) / sold : divRoundingUp(probe * sold, bought);
    return previews[index] === expected;
  });
}
