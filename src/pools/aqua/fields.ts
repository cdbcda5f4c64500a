import type { Address, Hex } from "../../domain/address.ts";
import { amount, type StateField, type StateFields, twoAmounts } from "../curve/state-field.ts";
import type { AquaState } from "./state.ts";

function isHex(text: string): text is Hex {
  return /^0x([0-9a-f]{2})*$/.test(text);
}

function isAddress(text: string): text is Address {
  return isHex(text) && text.length === 42;
}

const address: StateField<Address, string> = {
  write: String,
  read(text) {
    if (!isAddress(text)) throw new RangeError(`not an address: "${text}"`);
    return text;
  },
};

const bytes: StateField<Hex, string> = {
  write: String,
  read(text) {
    if (!isHex(text)) throw new RangeError(`not bytes: "${text}"`);
    return text;
  },
};

export const aquaFields = {
  maker: address,
  traits: amount,
  program: bytes,
  balances: twoAmounts,
  wallets: twoAmounts,
  allowances: twoAmounts,
} satisfies StateFields<AquaState>;
