import { type Address, NATIVE_TOKEN } from "../../domain/address.ts";
import { FRACTION_ONE, type SwapRequest } from "../../quoting/answer/answers.ts";
import { FEE_ONE } from "../../quoting/cost/amounts.ts";
import type { TokenRegistry } from "../../quoting/ports.ts";
import { type Account, accountName } from "../keys/key-store.ts";
import { parseAddress } from "./address.ts";
import { parseFraction } from "./fraction.ts";
import type { Report } from "./report.ts";

const RATE = "integratorPercentageFee";
const RECIPIENT = "integratorRecipientAddress";

/** 0.1 %: the rate of an integrator's profile that has none of its own. */
export const BASE_FEE_PPM = 1_000n;

/** 0.1, which the settlement contract enforces too. */
const RATE_LIMITS = { most: FRACTION_ONE / 10n, mostText: "0.1", decimals: 6 };

/** What cannot receive a fee. */
export interface FeeBounds {
  readonly tokens: TokenRegistry;
  readonly wrappedNative: Address;
  readonly settlementContracts: readonly Address[];
}

/** The same, with the account on whose behalf recipients are looked up. */
interface AskedBounds extends FeeBounds {
  readonly account: string;
}

/**
 * The integrator fee that a request asks for: both parameters or neither. `given` tells a fee of 0 from none; `unreadable`
 * are parameters that were given, and have been reported.
 */
export async function parseIntegratorFee(
  [rateText, recipientText]: readonly [rate: string | undefined, recipient: string | undefined],
  unreadable: ReadonlySet<string>,
  bounds: AskedBounds,
  report: Report,
): Promise<{ readonly given: boolean; readonly fee?: NonNullable<SwapRequest["fee"]> }> {
  const [hasRate, hasRecipient] = [
    rateText !== undefined || unreadable.has(RATE),
    recipientText !== undefined || unreadable.has(RECIPIENT),
  ];
  if (!hasRate && !hasRecipient) return { given: false };
  if (!hasRate) {
    report.add(RATE, "MISSING_PARTNER", `${RATE} is required together with ${RECIPIENT}.`);
  }
  if (!hasRecipient) {
    report.add(RECIPIENT, "MISSING_PARTNER", `${RECIPIENT} is required together with ${RATE}.`);
  }
  const ratePpm = rateText === undefined ? undefined : parseFeeRate(RATE, rateText, report);
  const recipient = recipientText === undefined ? undefined : await parseRecipient(recipientText, bounds, report);
  if (ratePpm === undefined || recipient === undefined || ratePpm === 0n) return { given: true };
  return { given: true, fee: { ratePpm, recipient } };
}

async function parseRecipient(text: string, bounds: AskedBounds, report: Report): Promise<Address | undefined> {
  const recipient = parseAddress(RECIPIENT, text, "account", report);
  return recipient === undefined ? undefined : admitRecipient(recipient, RECIPIENT, bounds, report);
}

/**
 * The fee of requests that name none, by the profile of the caller's key. Its recipient was written down before anybody
 * knew what would stand there.
 */
export async function profileFee(account: Account, catalog: FeeBounds, report: Report): Promise<SwapRequest["fee"]> {
  const { integrator } = account;
  if (integrator === undefined || integrator.ratePpm === 0n) return undefined;
  const name = `The recipient ${integrator.recipient} of this key's profile`;
  const bounds = { ...catalog, account: accountName(account) };
  const recipient = await admitRecipient(integrator.recipient, name, bounds, report);
  return recipient && { recipient, ratePpm: integrator.ratePpm ?? BASE_FEE_PPM };
}

/** A rate of fees as a fraction, in parts per million. */
export function parseFeeRate(field: string, text: string, report: Report): bigint | undefined {
  const rate = parseFraction(field, text, RATE_LIMITS, report);
  return rate === undefined ? undefined : (rate * FEE_ONE) / FRACTION_ONE;
}

/** The recipient, if it is an account; `name` is what the report calls it. */
async function admitRecipient(
  recipient: Address,
  name: string,
  bounds: AskedBounds,
  report: Report,
): Promise<Address | undefined> {
  const refuse = (what: string) =>
    report.add(
      RECIPIENT,
      "INVALID_RECIPIENT",
      `${name} is ${what}: fees sent there would be lost. Name an account instead.`,
    );
  if (bounds.settlementContracts.includes(recipient)) return refuse("a settlement contract of this service");
  if (recipient === NATIVE_TOKEN || recipient === bounds.wrappedNative) return refuse("a token");
  try {
    return (await bounds.tokens.find(recipient, bounds.account)) === undefined ? recipient : refuse("a token");
  } catch (error) {
    return report.fail(error);
  }
}
