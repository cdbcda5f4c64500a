import {
  amount,
  amounts,
  maybeTrue,
  type StateField,
  type StateFields,
  twoAmounts,
  twoOf,
} from "../curve/state-field.ts";
import type { FluidReserves, FluidState } from "./state.ts";

interface SavedReserves {
  readonly real: string[];
  readonly imaginary: string[];
}

const reserves: StateField<FluidReserves | undefined, SavedReserves | undefined> = {
  write: (value) => value && { real: twoAmounts.write(value.real), imaginary: twoAmounts.write(value.imaginary) },
  read: (saved) => saved && { real: twoOf(amounts.read(saved.real)), imaginary: twoOf(amounts.read(saved.imaginary)) },
};

const depositable: StateField<FluidState["depositable"], string[]> = {
  write: (value) => (value === undefined ? [] : twoAmounts.write(value)),
  read: (saved) => (saved.length === 0 ? undefined : twoAmounts.read(saved)),
};

export const fluidFields = {
  up: twoAmounts,
  down: twoAmounts,
  fee: amount,
  revenueCut: amount,
  centerPrice: amount,
  lastPrices: amounts,
  collateral: reserves,
  debt: reserves,
  withdrawable: twoAmounts,
  borrowable: twoAmounts,
  owed: twoAmounts,
  depositable,
  supplied: twoAmounts,
  borrowed: twoAmounts,
  mostUtilized: twoAmounts,
  mostBorrowed: twoAmounts,
  spent: maybeTrue,
} satisfies StateFields<FluidState>;
