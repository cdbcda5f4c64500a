import { getAddress } from "viem/utils";
import { type Address, isAddressText, NATIVE_TOKEN, toAddress, ZERO_ADDRESS } from "../../domain/address.ts";
import { type Report, shown } from "./report.ts";

/** Role of an address parameter, and what to send instead of the zero address. */
const INSTEAD_OF_ZERO = {
  token: `For the native token send ${NATIVE_TOKEN}.`,
  account: "Nobody holds its key: send the address of an account.",
  contract: "Send the address of a contract.",
};

/**
 * An address parameter. Letter case is free as long as it is all one case; mixed case must be the EIP-55 checksum.
 * The native token's placeholder passes in any letter case.
 */
export function parseAddress(
  field: string,
  text: string,
  kind: keyof typeof INSTEAD_OF_ZERO,
  report: Report,
): Address | undefined {
  if (!isAddressText(text)) return report.add(field, "INVALID_ADDRESS", `${field} ${formProblem(text)}`);
  const address = toAddress(text);
  if (address === ZERO_ADDRESS) {
    return report.add(field, "ZERO_ADDRESS", `${field} is the zero address. ${INSTEAD_OF_ZERO[kind]}`);
  }
  const digits = text.slice(2);
  const oneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  if (!oneCase && address !== NATIVE_TOKEN && getAddress(address) !== text) {
    return report.add(
      field,
      "INVALID_CHECKSUM",
      `${field} has mixed letter case that is not the EIP-55 checksum of this address: a digit may be wrong. ` +
        `Check the address, or send it in lower case. Given: ${text}.`,
    );
  }
  return address;
}

function formProblem(text: string): string {
  if (text === "") return "is empty. Send 0x and 40 hex digits, or leave it out where it is optional.";
  if (/^0x[0-9a-fA-F]*$/.test(text)) {
    return `has ${text.length - 2} hex digits. An address is 0x and 40 hex digits. Given: ${shown(text)}.`;
  }
  return `must be an address, 0x and 40 hex digits. Given: ${shown(text)}.`;
}
