import type { ChangeableTerms, KeyTerms } from "../../api/keys/key-record.ts";
import { parseAddress } from "../../api/parameters/address.ts";
import { parseFeeRate, parseSurplusShare } from "../../api/parameters/integrator-fee.ts";
import { createReport, type Report } from "../../api/parameters/report.ts";
import { toDecimal } from "../../client/decimal.ts";
import type { Address } from "../../domain/address.ts";
import { isWebOrigin } from "../../domain/web-origin.ts";
import { type Invocation, UsageError } from "../command.ts";
import { SCOPES } from "../command-options.ts";
import { momentOf } from "./duration.ts";

/**
 * Terms of a new key by the options. `contracts`: addresses where fees would be lost, with a description of each.
 * @throws UsageError naming everything that is wrong
 */
export function termsOf(given: Invocation, now: number, contracts: ReadonlyMap<Address, string>): KeyTerms {
  const label = given.text("label") ?? "";
  const account = given.text("account") ?? label;
  if (account.trim() === "") throw new UsageError("give --account or --label: it says whose key it is");
  return {
    account,
    label,
    expiresAt: expiryOf(given.text("expires"), now),
    methods: listOf(given.text("scopes"), methodOf),
    origins: listOf(given.text("origins"), originOf),
    integrator: integratorOf(given.text("fee-recipient"), given.text("fee-rate"), contracts),
    surplus: surplusOf(given.text("surplus-recipient"), given.text("surplus-share"), contracts),
    limit: limitOf(given.text("rate"), given.text("burst")),
  };
}

/** Decimals of a rate in parts per million, as a fraction. */
const PPM_DECIMALS = 6;

/** Words that give a term back what a new key has without the option. */
const NO_TERM = {
  expires: "never",
  scopes: "all",
  origins: "all",
  "fee-recipient": "none",
  "surplus-recipient": "none",
  rate: "default",
} as const;

/**
 * Changes to a key's terms by the options given.
 * @throws UsageError naming everything that is wrong, or that nothing is said
 */
export function changesOf(
  given: Invocation,
  current: ChangeableTerms,
  now: number,
  contracts: ReadonlyMap<Address, string>,
): Partial<ChangeableTerms> {
  const text = (name: keyof typeof NO_TERM) => (given.text(name) === NO_TERM[name] ? null : given.text(name));
  const [label, expires, scopes, origins] = [given.text("label"), text("expires"), text("scopes"), text("origins")];
  const integrator = newIntegrator(text("fee-recipient"), given.text("fee-rate"), current, contracts);
  const surplus = newSurplus(text("surplus-recipient"), given.text("surplus-share"), current, contracts);
  const limit = newLimit(text("rate"), given.text("burst"), current);
  const changes = {
    ...(label !== undefined && { label }),
    ...(expires !== undefined && { expiresAt: expires === null ? null : expiryOf(expires, now) }),
    ...(scopes !== undefined && { methods: scopes === null ? null : listOf(scopes, methodOf) }),
    ...(origins !== undefined && { origins: origins === null ? null : listOf(origins, originOf) }),
    ...(integrator !== undefined && { integrator }),
    ...(surplus !== undefined && { surplus }),
    ...(limit !== undefined && { limit }),
  };
  if (Object.keys(changes).length === 0)
    throw new UsageError("give an option that changes something: see tributary keys update --help");
  return changes;
}

/** Null: none any more; undefined: as it is. The rate stays where only the recipient changes. */
function newIntegrator(
  recipient: string | null | undefined,
  rate: string | undefined,
  { integrator }: ChangeableTerms,
  contracts: ReadonlyMap<Address, string>,
): KeyTerms["integrator"] | undefined {
  if (recipient === undefined && rate === undefined) return undefined;
  const changed = integratorOf(recipient === null ? undefined : (recipient ?? integrator?.recipient), rate, contracts);
  return changed === null || rate !== undefined ? changed : { ...changed, ratePpm: integrator?.ratePpm ?? null };
}

/** Null: none any more; undefined: as it is. One of recipient and share alone leaves the other as it is. */
function newSurplus(
  recipient: string | null | undefined,
  share: string | undefined,
  { surplus }: ChangeableTerms,
  contracts: ReadonlyMap<Address, string>,
): KeyTerms["surplus"] | undefined {
  if (recipient === undefined && share === undefined) return undefined;
  if (recipient === null) return surplusOf(undefined, share, contracts);
  const kept = surplus === null ? undefined : toDecimal(surplus.ratePpm, PPM_DECIMALS);
  return surplusOf(recipient ?? surplus?.recipient, share ?? kept, contracts);
}

/** Null: the operator's for all; undefined: as it is. A burst alone leaves the rate as it is. */
function newLimit(
  rate: string | null | undefined,
  burst: string | undefined,
  { limit }: ChangeableTerms,
): KeyTerms["limit"] | undefined {
  if (rate === undefined && burst === undefined) return undefined;
  return limitOf(rate === null ? undefined : (rate ?? limit?.unitsPerSecond.toString()), burst);
}

function expiryOf(text: string | undefined, now: number): number | null {
  if (text === undefined) return null;
  const moment = momentOf("expires", text, now);
  if (moment <= now) throw new UsageError(`--expires: ${text} is over: give a time to come`);
  return moment;
}

function listOf(text: string | undefined, item: (text: string) => string): readonly string[] | null {
  if (text === undefined) return null;
  const items = text.split(",").map((part) => item(part.trim()));
  return [...new Set(items)];
}

function methodOf(scope: string): string {
  const method = SCOPES[scope.toLowerCase()];
  if (method === undefined) {
    throw new UsageError(`--scopes: there is no scope "${scope}", only ${Object.keys(SCOPES).join(", ")}`);
  }
  return method;
}

function originOf(text: string): string {
  if (isWebOrigin(text)) return text;
  throw new UsageError(`--origins: "${text}" is no web origin: give one like https://dapp.example`);
}

function integratorOf(
  recipientText: string | undefined,
  rateText: string | undefined,
  contracts: ReadonlyMap<Address, string>,
): KeyTerms["integrator"] {
  if (recipientText === undefined && rateText !== undefined)
    throw new UsageError("--fee-rate needs --fee-recipient: give both");
  if (recipientText === undefined) return null;
  const report = createReport();
  const ratePpm = rateText === undefined ? null : (parseFeeRate("--fee-rate", rateText, report) ?? null);
  return { recipient: recipientOf("--fee-recipient", recipientText, contracts, report), ratePpm };
}

function surplusOf(
  recipientText: string | undefined,
  shareText: string | undefined,
  contracts: ReadonlyMap<Address, string>,
): KeyTerms["surplus"] {
  if (recipientText === undefined && shareText === undefined) return null;
  if (recipientText === undefined) throw new UsageError("--surplus-share needs --surplus-recipient: give both");
  if (shareText === undefined) throw new UsageError("--surplus-recipient needs --surplus-share: give both");
  const report = createReport();
  const ratePpm = parseSurplusShare("--surplus-share", shareText, report);
  if (ratePpm === 0n) throw new UsageError("--surplus-share: 0 shares nothing. Send --surplus-recipient none.");
  const recipient = recipientOf("--surplus-recipient", recipientText, contracts, report);
  return { recipient, ratePpm: ratePpm as bigint };
}

/** @throws UsageError naming what is wrong with it, or with what was reported before */
function recipientOf(option: string, text: string, contracts: ReadonlyMap<Address, string>, report: Report): Address {
  const recipient = parseAddress(option, text, "account", report);
  const contract = recipient && contracts.get(recipient);
  if (contract !== undefined) {
    throw new UsageError(`${option} is ${contract}, and fees sent there would be lost: give an account`);
  }
  if (report.violations.length > 0) throw new UsageError(report.violations.map((it) => it.description).join("\n"));
  return recipient as Address;
}

function limitOf(rateText: string | undefined, burstText: string | undefined): KeyTerms["limit"] {
  if (rateText === undefined && burstText !== undefined) throw new UsageError("--burst needs --rate: give both");
  if (rateText === undefined) return null;
  const unitsPerSecond = unitsOf("rate", rateText);
  return { unitsPerSecond, burst: burstText === undefined ? 2 * unitsPerSecond : unitsOf("burst", burstText) };
}

function unitsOf(option: string, text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new UsageError(`--${option}: ${text} is out of range: give a whole number from 1 to 9999999`);
}
