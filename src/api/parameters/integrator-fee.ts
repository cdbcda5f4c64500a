import type { Address } from "../../domain/address.ts";
import type { SwapFee } from "../../domain/terms/swap-fee.ts";
import type { Token } from "../../domain/token.ts";
import { FRACTION_ONE, type SwapRequest } from "../../quoting/answer/types.ts";
import { FEE_ONE } from "../../quoting/cost/amounts.ts";
import { type Account, accountName } from "../keys/key-store.ts";
import { parseAddress } from "./address.ts";
import { parseFraction } from "./fraction.ts";
import { type AskedBounds, admitRecipient, type RecipientBounds } from "./recipient.ts";
import { type Report, shown } from "./report.ts";

const RATE = "integratorPercentageFee";
const RECIPIENT = "integratorRecipientAddress";
const TOKEN = "swapFeeToken";

/** 0.1 %: the rate of an integrator's profile that has none of its own. */
export const BASE_FEE_PPM = 1_000n;

/** 0.1, which the settlement contract enforces too. */
const RATE_LIMITS = { most: FRACTION_ONE / 10n, mostText: "0.1", decimals: 6 };
const CAP_PPM = FEE_ONE / 10n;
/** Half of the surplus, which the settlement contract enforces too. */
const SHARE_LIMITS = { most: FRACTION_ONE / 2n, mostText: "0.5", decimals: 6 };

/** Recipients that the settlement contract pays at the most. */
const MAX_FEES = 4;

/** Fee parameters as they came. */
export interface RawFee {
  readonly rate: string | undefined;
  readonly recipient: string | undefined;
  readonly token: string | undefined;
}

/**
 * The integrator fee that a request asks for: rates and recipients or neither, at most four of each at the same places.
 * `given` tells a fee of 0 from none; `unreadable` are parameters that were given, and have been reported.
 */
export async function parseIntegratorFee(
  { rate, recipient }: RawFee,
  unreadable: ReadonlySet<string>,
  bounds: AskedBounds,
  report: Report,
): Promise<{ readonly given: boolean; readonly fee?: SwapFee }> {
  const [hasRate, hasRecipient] = [
    rate !== undefined || unreadable.has(RATE),
    recipient !== undefined || unreadable.has(RECIPIENT),
  ];
  if (!hasRate && !hasRecipient) return { given: false };
  if (!hasRate) report.add(RATE, "MISSING_PARTNER", `${RATE} is required together with ${RECIPIENT}.`);
  if (!hasRecipient) report.add(RECIPIENT, "MISSING_PARTNER", `${RECIPIENT} is required together with ${RATE}.`);
  const rates = rate === undefined ? undefined : parseRates(rate, report);
  const recipients = recipient === undefined ? undefined : await parseRecipients(recipient, bounds, report);
  if (rates === undefined || recipients === undefined) return { given: true };
  if (rates.length !== recipients.length) {
    const counts = `${RATE} has ${rates.length}, ${RECIPIENT} ${recipients.length}`;
    report.add(RECIPIENT, "CONFLICT", `Each fee has one recipient at its place: ${counts}. Send as many of each.`);
    return { given: true };
  }
  const parts = rates.map((ratePpm, at) => ({ ratePpm, recipient: recipients[at] as Address }));
  const [first, ...others] = parts.filter(({ ratePpm }) => ratePpm !== 0n);
  if (first === undefined) return { given: true };
  return { given: true, fee: { ...first, ...(others.length > 0 && { others }) } };
}

function parseRates(text: string, report: Report): readonly bigint[] | undefined {
  const texts = itemsOf(RATE, text, report);
  const rates = texts?.map((each) => parseFeeRate(RATE, each, report));
  if (rates === undefined || !rates.every((rate) => rate !== undefined)) return undefined;
  const total = rates.reduce((sum, rate) => sum + rate, 0n);
  if (total <= CAP_PPM) return rates;
  return report.add(
    RATE,
    "OUT_OF_RANGE",
    `${RATE} adds up to more than 0.1. Send rates of 0.1 together at most. Given: ${shown(text)}.`,
  );
}

async function parseRecipients(text: string, bounds: AskedBounds, report: Report) {
  const texts = itemsOf(RECIPIENT, text, report);
  const recipients: (Address | undefined)[] = [];
  for (const each of texts ?? []) {
    const address = parseAddress(RECIPIENT, each, "account", report);
    recipients.push(address && (await admitRecipient(address, { field: RECIPIENT, name: RECIPIENT }, bounds, report)));
  }
  return texts === undefined || !recipients.every((each) => each !== undefined)
    ? undefined
    : (recipients as readonly Address[]);
}

/** A list separated by commas, of four at the most. */
function itemsOf(field: string, text: string, report: Report): readonly string[] | undefined {
  const items = text.split(",", MAX_FEES + 1).map((item) => item.trim());
  if (items.length <= MAX_FEES) return items;
  return report.add(
    field,
    "OUT_OF_RANGE",
    `${field} has more than ${MAX_FEES} items. Send ${MAX_FEES} at most, separated by commas.`,
  );
}

/** Whether fees are taken of the sold token, by the token that a request names. */
export function parseFeeSide(
  text: string | undefined,
  { sellToken, buyToken }: { readonly sellToken: Token | undefined; readonly buyToken: Token | undefined },
  report: Report,
): boolean {
  if (text === undefined) return false;
  const token = parseAddress(TOKEN, text, "token", report);
  if (token === undefined || sellToken === undefined || buyToken === undefined) return false;
  if (token === sellToken.address) return true;
  if (token === buyToken.address) return false;
  const instead = `Send sellToken's address, ${sellToken.address}, or buyToken's, ${buyToken.address}.`;
  report.add(TOKEN, "CONFLICT", `${TOKEN} is neither token of the swap. ${instead} Given: ${shown(text)}.`);
  return false;
}

/**
 * The fee of requests that name none, by the profile of the caller's key. Its recipient was written down before anybody
 * knew what would stand there.
 */
export async function profileFee(
  account: Account,
  catalog: RecipientBounds,
  report: Report,
): Promise<SwapRequest["fee"]> {
  const { integrator } = account;
  if (integrator === undefined || integrator.ratePpm === 0n) return undefined;
  const name = `The recipient ${integrator.recipient} of this key's profile`;
  const bounds = { ...catalog, account: accountName(account) };
  const recipient = await admitRecipient(integrator.recipient, { field: RECIPIENT, name }, bounds, report);
  return recipient && { recipient, ratePpm: integrator.ratePpm ?? BASE_FEE_PPM };
}

/** Share of surplus by the profile of the caller's key. */
export async function profileSurplus(
  account: Account,
  catalog: RecipientBounds,
  report: Report,
): Promise<SwapRequest["surplus"]> {
  const { surplus } = account;
  if (surplus === undefined) return undefined;
  const name = `The recipient ${surplus.recipient} of surplus, by this key's profile,`;
  const bounds = { ...catalog, account: accountName(account) };
  const recipient = await admitRecipient(surplus.recipient, { field: RECIPIENT, name }, bounds, report);
  return recipient && surplus;
}

/** A share of surplus as a fraction, in parts per million. */
export function parseSurplusShare(field: string, text: string, report: Report): bigint | undefined {
  const share = parseFraction(field, text, SHARE_LIMITS, report);
  return share === undefined ? undefined : (share * FEE_ONE) / FRACTION_ONE;
}

/** A rate of fees as a fraction, in parts per million. */
export function parseFeeRate(field: string, text: string, report: Report): bigint | undefined {
  const rate = parseFraction(field, text, RATE_LIMITS, report);
  return rate === undefined ? undefined : (rate * FEE_ONE) / FRACTION_ONE;
}
