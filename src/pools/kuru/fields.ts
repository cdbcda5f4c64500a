import { amount, natural, type StateField, type StateFields, twoAmounts, whole } from "../curve/state-field.ts";
import type { KuruLevel, KuruSide, KuruState, KuruVaultOrder } from "./state.ts";

interface SavedSide {
  readonly levels: { readonly price: string; readonly size: string }[];
  readonly more: boolean;
  readonly vault?: { readonly price: string; readonly size: string; readonly filled: string } | undefined;
}

const side: StateField<KuruSide, SavedSide | undefined> = {
  write: ({ levels, more, vault }) => ({
    levels: levels.map(({ price, size }) => ({ price: amount.write(price), size: amount.write(size) })),
    more: more === true,
    ...(vault && { vault: { price: String(vault.price), size: String(vault.size), filled: String(vault.filled) } }),
  }),
  read: ({ levels, more, vault } = { levels: [], more: false }) => ({
    levels: levels.map(({ price, size }): KuruLevel => ({ price: natural(price), size: natural(size) })),
    ...(more && { more: true as const }),
    ...(vault && { vault: orderOf(vault) }),
  }),
};

function orderOf({ price, size, filled }: NonNullable<SavedSide["vault"]>): KuruVaultOrder {
  return { price: natural(price), size: natural(size), filled: natural(filled) };
}

export const kuruFields = {
  units: twoAmounts,
  precisions: twoAmounts,
  takerFee: whole,
  spread: whole,
  bidSide: side,
  askSide: side,
} satisfies StateFields<KuruState>;
