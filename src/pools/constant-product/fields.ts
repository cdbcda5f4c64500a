import type { TokenTax, TransferTax } from "../../domain/token-verdict.ts";
import { amount, natural, type StateField, type StateFields, twoAmounts, twoOf } from "../curve/state-field.ts";
import type { ConstantProductState } from "./state.ts";

interface SavedTax {
  readonly ppm: string;
  readonly roundsUp: boolean;
}

interface SavedTaxes {
  readonly buy?: SavedTax | undefined;
  readonly sell?: SavedTax | undefined;
  readonly transfer?: SavedTax | undefined;
}

const write = ({ ppm, roundsUp }: TransferTax): SavedTax => ({ ppm: String(ppm), roundsUp });

function read(saved: SavedTax | undefined): TransferTax {
  if (saved === undefined) throw new RangeError("a tax is missing");
  return { ppm: natural(saved.ppm), roundsUp: saved.roundsUp };
}

const writeAll = ({ buy, sell, transfer }: TokenTax): SavedTaxes => {
  return { buy: write(buy), sell: write(sell), transfer: write(transfer) };
};
const readAll = ({ buy, sell, transfer }: SavedTaxes): TokenTax => {
  return { buy: read(buy), sell: read(sell), transfer: read(transfer) };
};

/** None is an empty list. */
const taxes: StateField<ConstantProductState["taxes"], SavedTaxes[]> = {
  write: (both) => both?.map(writeAll) ?? [],
  read: (saved) => (saved.length === 0 ? undefined : twoOf(saved.map(readAll))),
};

export const constantProductFields = {
  reserves: twoAmounts,
  feeNum: amount,
  feeDen: amount,
  taxes,
} satisfies StateFields<ConstantProductState>;
