import { NATIVE_TOKEN } from "../../domain/address.ts";
import { refuse, type SwapError } from "../../domain/errors/swap-error.ts";
import type { Violation } from "../../domain/errors/violations.ts";
import type { Token } from "../../domain/token.ts";
import { FRACTION_ONE, type PastMarket, type SwapRequest } from "../../quoting/answer/types.ts";
import { type Account, accountName } from "../keys/key-store.ts";
import type { DecodeProblem } from "../rest/decode-problem.ts";
import { parseAddress } from "./address.ts";
import { parseAmount, parseInteger } from "./amount.ts";
import { parseApprovalMode } from "./approval-mode.ts";
import { parseBlockNumber } from "./block-number.ts";
import { parseFraction } from "./fraction.ts";
import { parseFeeSide, parseIntegratorFee, profileFee, profileSurplus } from "./integrator-fee.ts";
import { parseOverrides, type RawLog } from "./overrides.ts";
import { parseRecipient, type RecipientBounds } from "./recipient.ts";
import { createReport, type Report } from "./report.ts";
import { type MostOfRoutes, parseRouteLimits, type RawRouteLimits } from "./route-limits.ts";
import { parseSources } from "./sources.ts";
import { parseToken } from "./token.ts";

/** The parameters as they came, whatever the protocol. Absent and JSON null are the same. */
export interface RawParameters extends RawRouteLimits {
  readonly sellToken?: string | undefined;
  readonly buyToken?: string | undefined;
  readonly sellAmount?: string | undefined;
  readonly buyAmount?: string | undefined;
  readonly slippagePercentage?: string | undefined;
  readonly takerAddress?: string | undefined;
  readonly excludedSources: readonly string[];
  readonly includedSources: readonly string[];
  readonly integratorPercentageFee?: string | undefined;
  readonly integratorRecipientAddress?: string | undefined;
  readonly gasPrice?: string | undefined;
  readonly skipValidation?: boolean | undefined;
  readonly priceImpactProtectionPercentage?: string | undefined;
  readonly swapFeeToken?: string | undefined;
  readonly recipient?: string | undefined;
  readonly approvalMode?: string | undefined;
  readonly sellEntireBalance?: boolean | undefined;
  readonly blockNumber?: string | undefined;
  readonly overrides?: readonly RawLog[];
}

/** Facts that requests are checked against. */
export interface RequestCatalog extends RecipientBounds {
  readonly chainId: number;
  sourceIds(): readonly string[];
  readonly mostOfRoutes: MostOfRoutes;
  /** Blocks that may be priced at besides the newest; absent: none. */
  readonly past?: PastMarket;
  /** Whether prices on top of overrides may be asked for; they may not by default. */
  readonly allowsOverrides?: boolean;
}

/** The parameters in the order in which their problems are told. */
const PARAMETERS = [
  "sellToken",
  "buyToken",
  "sellAmount",
  "buyAmount",
  "slippagePercentage",
  "takerAddress",
  "excludedSources",
  "includedSources",
  "excludedPools",
  "excludedTokens",
  "connectorTokens",
  "maxHops",
  "maxFills",
  "integratorPercentageFee",
  "integratorRecipientAddress",
  "swapFeeToken",
  "recipient",
  "approvalMode",
  "sellEntireBalance",
  "gasPrice",
  "skipValidation",
  "priceImpactProtectionPercentage",
  "blockNumber",
  "overrides",
];

const FRACTION_LIMITS = { most: FRACTION_ONE, mostText: "1", decimals: 18 };

/** Leaves slippage to the service. */
const AUTO = "auto";
/** 1 %. */
const DEFAULT_SLIPPAGE = FRACTION_ONE / 100n;

/** Wei per gas: far above anything real, low enough that costs stay sensible numbers. */
const MAX_GAS_PRICE = 2n ** 64n - 1n;
const GAS_PRICE_FORM = { most: MAX_GAS_PRICE, hint: () => "Send wei per gas as decimal digits." };

/** Context in which requests are checked. */
export interface RequestContext {
  readonly catalog: RequestCatalog;
  readonly account: Account;
  readonly problems: readonly DecodeProblem[];
  readonly skipValidationByDefault: boolean;
  /** Violations found earlier. */
  readonly found?: readonly Violation[];
}

/**
 * Checks the parameters of a price or a quote.
 * @throws SwapError INVALID_PARAMETERS with every violation at once, those of decoding included; when there is none, what
 * the registry of tokens throws
 */
export async function parseRequest(raw: RawParameters, context: RequestContext): Promise<SwapRequest> {
  const { catalog } = context;
  const report = createReport();
  const reported = new Set(context.problems.map((problem) => problem.field));
  const problems = context.problems.map(violationOf);
  const tokenOf = (field: "sellToken" | "buyToken") =>
    reported.has(field)
      ? undefined
      : parseToken(field, raw[field], { tokens: catalog.tokens, account: accountName(context.account) }, report);
  const [selling, buying] = [tokenOf("sellToken"), tokenOf("buyToken")];
  const sellToken = selling instanceof Promise ? await selling : selling;
  const buyToken = buying instanceof Promise ? await buying : buying;
  checkPair(sellToken, buyToken, report);
  const amount = parseAmounts(raw, { sellToken, buyToken }, reported, report);
  const { slippage = DEFAULT_SLIPPAGE, slippageIsAuto } = parseSlippage(raw.slippagePercentage, report);
  const taker = parseTaker(raw.takerAddress, report);
  const { sources, isDirect } = parseSources(raw, catalog.sourceIds(), report);
  const limits = parseRouteLimits(raw, { most: catalog.mostOfRoutes, pair: [sellToken, buyToken] }, report);
  const bounds = { ...catalog, account: accountName(context.account) };
  const fee = await parseFee(raw, { ...context, reported, sellToken, buyToken }, report);
  const surplus = await profileSurplus(context.account, catalog, report);
  const recipient = await parseRecipient(raw.recipient, bounds, report);
  const hasTaker = raw.takerAddress !== undefined || reported.has("takerAddress");
  const approvalMode = parseApprovalMode(raw.approvalMode, hasTaker, report);
  checkEntireBalance(raw, reported, report);
  const gasPrice =
    raw.gasPrice === undefined ? undefined : parseInteger("gasPrice", raw.gasPrice, GAS_PRICE_FORM, report);
  const maxPriceImpact = fraction("priceImpactProtectionPercentage", raw.priceImpactProtectionPercentage, report);

  const at = parseBlockNumber(raw.blockNumber, catalog.past, report);
  const overrides = overridesOf(raw, context, report);

  const violations = [...problems, ...(context.found ?? []), ...report.violations];
  if (violations.length === 0 && report.failure !== undefined) throw report.failure.error;
  if (violations.length > 0 || sellToken === undefined || buyToken === undefined || amount === undefined) {
    violations.sort((a, b) => position(a.field) - position(b.field));
    throw invalidParameters(violations);
  }
  return {
    sellToken,
    buyToken,
    amount,
    slippage,
    ...(slippageIsAuto && { slippageIsAuto }),
    sources,
    ...(isDirect && { isDirect }),
    ...(limits && { limits }),
    skipValidation: raw.skipValidation ?? context.skipValidationByDefault,
    ...(taker !== undefined && { taker }),
    ...(recipient !== undefined && { recipient }),
    ...(approvalMode !== undefined && { approvalMode }),
    ...(raw.sellEntireBalance === true && { sellEntireBalance: true }),
    ...(fee !== undefined && { fee }),
    ...(surplus !== undefined && { surplus }),
    ...(gasPrice !== undefined && { gasPrice }),
    ...(at !== undefined && { at }),
    ...(overrides !== undefined && { overrides }),
    ...(maxPriceImpact !== undefined && { maxPriceImpact }),
  };
}

/** Logs to come; undefined where one could not be read already. */
function overridesOf(raw: RawParameters, { catalog, problems }: RequestContext, report: Report) {
  const isUnread = problems.some(({ field }) => nameOf(field) === "overrides");
  return isUnread ? undefined : parseOverrides(raw, catalog.allowsOverrides === true, report);
}

/** The fee that a request names, or that the profile of its key does, with the token that it is taken of. */
async function parseFee(
  raw: RawParameters,
  asked: {
    readonly catalog: RequestCatalog;
    readonly account: Account;
    readonly reported: ReadonlySet<string>;
    readonly sellToken: Token | undefined;
    readonly buyToken: Token | undefined;
  },
  report: Report,
): Promise<SwapRequest["fee"]> {
  const { catalog, account, reported } = asked;
  const { integratorPercentageFee: rate, integratorRecipientAddress: recipient, swapFeeToken: token } = raw;
  const bounds = { ...catalog, account: accountName(account) };
  const own = await parseIntegratorFee({ rate, recipient, token }, reported, bounds, report);
  const fee = own.given ? own.fee : await profileFee(account, catalog, report);
  const fromSold = parseFeeSide(token, asked, report);
  return fee && { ...fee, ...(fromSold && { fromSold }) };
}

/** Native token is sold by sending it along, and what buys an exact amount sells what that costs. */
function checkEntireBalance(raw: RawParameters, reported: ReadonlySet<string>, report: Report): void {
  if (raw.sellEntireBalance !== true) return;
  const field = "sellEntireBalance";
  if (raw.buyAmount !== undefined || reported.has("buyAmount")) {
    report.add(field, "CONFLICT", `${field} cannot be combined with buyAmount. Send sellAmount, the most to sell.`);
  }
  if (raw.sellToken?.toLowerCase() === NATIVE_TOKEN) {
    report.add(field, "CONFLICT", `${field} cannot be used with the native token. Send the exact sellAmount.`);
  }
}

/** The refusal that tells all of them. Its message tells the first by itself: not every tool of gRPC shows the details. */
export function invalidParameters(violations: readonly Violation[]): SwapError {
  const [first] = violations;
  const count = violations.length > 1 ? `the request has ${violations.length} problems, first of all: ` : "";
  const message = first === undefined ? "the request has invalid parameters" : count + first.description;
  return refuse("INVALID_PARAMETERS", message, { violations });
}

/** The violation that a problem of decoding is. */
export function violationOf(problem: DecodeProblem): Violation {
  const { field, description } = problem;
  switch (problem.kind) {
    case "unknown":
      return { field, reason: "UNKNOWN_PARAMETER", description };
    case "repeated":
      return { field, reason: "REPEATED_PARAMETER", description };
    case "type":
      return { field, reason: "INVALID_TYPE", description };
  }
}

function checkPair(sellToken: Token | undefined, buyToken: Token | undefined, report: Report): void {
  if (sellToken === undefined || sellToken.address !== buyToken?.address) return;
  report.add("buyToken", "SAME_TOKEN", "buyToken is the same token as sellToken. Send two different tokens.");
}

function parseAmounts(
  raw: RawParameters,
  { sellToken, buyToken }: { readonly sellToken: Token | undefined; readonly buyToken: Token | undefined },
  reported: ReadonlySet<string>,
  report: Report,
): SwapRequest["amount"] | undefined {
  const { sellAmount, buyAmount } = raw;
  const isGiven = (field: "sellAmount" | "buyAmount") => raw[field] !== undefined || reported.has(field);
  const [sells, buys] = [isGiven("sellAmount"), isGiven("buyAmount")];
  if (sells && buys) {
    report.add("sellAmount", "CONFLICT", "sellAmount cannot be combined with buyAmount. Send one of them.");
    report.add("buyAmount", "CONFLICT", "buyAmount cannot be combined with sellAmount. Send one of them.");
  }
  const sell = sellAmount === undefined ? undefined : parseAmount("sellAmount", sellAmount, sellToken, report);
  const buy = buyAmount === undefined ? undefined : parseAmount("buyAmount", buyAmount, buyToken, report);
  if (sell !== undefined) return { kind: "exactIn", sellAmount: sell };
  if (buy !== undefined) return { kind: "exactOut", buyAmount: buy };
  if (!sells && !buys) {
    report.add("sellAmount", "REQUIRED", "sellAmount or buyAmount is required, in base units of its token.");
    report.add("buyAmount", "REQUIRED", "buyAmount or sellAmount is required, in base units of its token.");
  }
  return undefined;
}

function parseTaker(text: string | undefined, report: Report) {
  if (text === undefined) return undefined;
  const taker = parseAddress("takerAddress", text, "account", report);
  if (taker !== NATIVE_TOKEN) return taker;
  return report.add("takerAddress", "INVALID_ADDRESS", "takerAddress is the native token. Send an account.");
}

function parseSlippage(
  text: string | undefined,
  report: Report,
): { readonly slippage?: bigint | undefined; readonly slippageIsAuto?: true } {
  if (text === undefined) return {};
  if (text === AUTO) return { slippageIsAuto: true };
  return { slippage: parseFraction("slippagePercentage", text, { ...FRACTION_LIMITS, orWord: AUTO }, report) };
}

function fraction(field: string, text: string | undefined, report: Report): bigint | undefined {
  return text === undefined ? undefined : parseFraction(field, text, FRACTION_LIMITS, report);
}

/** A text that two accounts share when the same parameters mean the same for both. */
export function profileKey({ integrator, surplus }: Account): string {
  return [integrator, surplus].map((part) => part && `${part.recipient}:${part.ratePpm ?? ""}`).join();
}

/** The parameter that a field is, or is inside of. */
function nameOf(field: string): string {
  return field.split("[", 1)[0] ?? field;
}

function position(field: string): number {
  const at = PARAMETERS.indexOf(nameOf(field));
  return at < 0 ? PARAMETERS.length : at;
}
