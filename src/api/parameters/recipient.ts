import { type Address, NATIVE_TOKEN } from "../../domain/address.ts";
import type { TokenRegistry } from "../../quoting/ports.ts";
import { parseAddress } from "./address.ts";
import type { Report } from "./report.ts";

const RECIPIENT = "recipient";

/** Addresses that cannot receive anything. */
export interface RecipientBounds {
  readonly tokens: TokenRegistry;
  readonly wrappedNative: Address;
  readonly settlementContracts: readonly Address[];
}

/** Those, with the account on whose behalf recipients are looked up. */
export interface AskedBounds extends RecipientBounds {
  readonly account: string;
}

/** Parses the recipient of the bought token. */
export async function parseRecipient(
  text: string | undefined,
  bounds: AskedBounds,
  report: Report,
): Promise<Address | undefined> {
  if (text === undefined) return undefined;
  const recipient = parseAddress(RECIPIENT, text, "account", report);
  return recipient && admitRecipient(recipient, { field: RECIPIENT, name: RECIPIENT }, bounds, report);
}

/** The recipient, if it is an account; `name` is what the report calls it. */
export async function admitRecipient(
  recipient: Address,
  { field, name }: { readonly field: string; readonly name: string },
  bounds: AskedBounds,
  report: Report,
): Promise<Address | undefined> {
  const what = field === RECIPIENT ? "tokens" : "fees";
  const refuse = (thing: string) =>
    report.add(
      field,
      "INVALID_RECIPIENT",
      `${name} is ${thing}: ${what} sent there would be lost. Name an account instead.`,
    );
  if (bounds.settlementContracts.includes(recipient)) return refuse("a settlement contract of this service");
  if (recipient === NATIVE_TOKEN || recipient === bounds.wrappedNative) return refuse("a token");
  try {
    return (await bounds.tokens.find(recipient, bounds.account)) === undefined ? recipient : refuse("a token");
  } catch (error) {
    return report.fail(error);
  }
}
