import { amount, amounts, maybeAmount, oneOf, type StateField, type StateFields } from "../curve/state-field.ts";
import type { WooBase, WooState } from "./state.ts";

type SavedBase = { readonly [F in Exclude<keyof WooBase, "goodUntil">]: string } & {
  readonly goodUntil?: string | undefined;
};

const bases: StateField<readonly WooBase[], SavedBase[]> = {
  write: (values) =>
    values.map(({ goodUntil, ...base }) => ({
      unit: String(base.unit),
      price: String(base.price),
      spread: String(base.spread),
      coeff: String(base.coeff),
      feeRate: String(base.feeRate),
      maxGamma: String(base.maxGamma),
      maxNotional: String(base.maxNotional),
      goodUntil: maybeAmount.write(goodUntil),
    })),
  read: (saved) =>
    saved.map((base) => {
      const goodUntil = maybeAmount.read(base.goodUntil);
      return {
        unit: amount.read(base.unit),
        price: amount.read(base.price),
        spread: amount.read(base.spread),
        coeff: amount.read(base.coeff),
        feeRate: amount.read(base.feeRate),
        maxGamma: amount.read(base.maxGamma),
        maxNotional: amount.read(base.maxNotional),
        ...(goodUntil !== undefined && { goodUntil }),
      };
    }),
};

export const wooFields = {
  quoteUnit: amount,
  priceUnit: amount,
  reserves: amounts,
  bases,
  spreads: oneOf("kind of spreads", ["halved", "own", "unknown"]),
} satisfies StateFields<WooState>;
