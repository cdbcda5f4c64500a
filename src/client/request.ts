import type { MessageInitShape } from "@bufbuild/protobuf";
import type { GetPriceLadderRequestSchema, GetPriceRequestSchema } from "#gen/swap/v1/swap_pb.ts";
import type { ListTokensRequestSchema } from "#gen/swap/v1/tokens_pb.ts";
import { type FieldProblem, invalidRequest } from "./swap-call-error.ts";

/** Base units of a token (or wei): a bigint, or a whole number in decimal digits. Never a number: it would round. */
export type BaseUnits = bigint | string;

/** Parameters that prices and quotes share. Fractions are decimal strings: "0.01" is 1 %. */
interface SwapParameters {
  /** Contract address; the native token is NATIVE_TOKEN. */
  readonly sellToken: string;
  readonly buyToken: string;
  /** Default "0.01"; "auto": what the route's own moves ask for. */
  readonly slippagePercentage?: string | undefined;
  /** Sender of the transaction: makes gas exact and lets `issues` tell what is missing. */
  readonly takerAddress?: string | undefined;
  /** Cannot be combined with `includedSources`. */
  readonly excludedSources?: readonly string[] | undefined;
  readonly includedSources?: readonly string[] | undefined;
  /** Ids as `route.fills` shows them, or addresses. */
  readonly excludedPools?: readonly string[] | undefined;
  readonly excludedTokens?: readonly string[] | undefined;
  /** The only tokens that routes may lead over. */
  readonly connectorTokens?: readonly string[] | undefined;
  /** Most pools of one path, and most fills of the route. */
  readonly maxHops?: number | string | undefined;
  readonly maxFills?: number | string | undefined;
  /** Goes with `integratorRecipientAddress`; up to four of each, separated by commas. */
  readonly integratorPercentageFee?: string | undefined;
  readonly integratorRecipientAddress?: string | undefined;
  /** Wei per gas. */
  readonly gasPrice?: BaseUnits | undefined;
  readonly skipValidation?: boolean | undefined;
  readonly priceImpactProtectionPercentage?: string | undefined;
  /** Token that the integrator fee is taken of; default: the one that is bought. */
  readonly swapFeeToken?: string | undefined;
  /** Recipient of the bought tokens; default: the sender of the transaction. */
  readonly recipient?: string | undefined;
  /** Default "approve". "permit2" and "eip2612" need `takerAddress`: see `withSignature`. */
  readonly approvalMode?: "approve" | "permit2" | "eip2612" | "none" | undefined;
  /** Sells the taker's whole balance, at most `sellAmount`. */
  readonly sellEntireBalance?: boolean | undefined;
}

/** Swap to price or quote: `sellAmount` sells exactly that much, `buyAmount` receives at least that much. */
export type SwapRequest = SwapParameters &
  (
    | { readonly sellAmount: BaseUnits; readonly buyAmount?: never }
    | { readonly buyAmount: BaseUnits; readonly sellAmount?: never }
  );

/** Swap to price for several amounts: one of the lists, and the parameters that a ladder takes. */
export type LadderRequest = Omit<
  SwapParameters,
  | "takerAddress"
  | "skipValidation"
  | "priceImpactProtectionPercentage"
  | "recipient"
  | "approvalMode"
  | "sellEntireBalance"
> &
  AtBlock &
  (
    | { readonly sellAmounts: readonly BaseUnits[]; readonly buyAmounts?: never }
    | { readonly buyAmounts: readonly BaseUnits[]; readonly sellAmounts?: never }
  );

/** Tokens to list: a page of all of them, of those that a text finds, or those at given addresses. */
export interface TokensRequest {
  /** A part of a symbol or a name. */
  readonly search?: string | undefined;
  /** Not with the others. */
  readonly addresses?: readonly string[] | undefined;
  /** 1 to 100; default 50. */
  readonly pageSize?: number | undefined;
  /** `nextCursor` of the page before, with the same search. */
  readonly cursor?: string | undefined;
}

type FieldsOf<Message> = Omit<Message, "$typeName" | "$unknown">;
/** Block of a price, a ladder or a batch; quotes have none. */
export interface AtBlock {
  /** One of the newest blocks; the newest by default. */
  readonly blockNumber?: BaseUnits | number | undefined;
}

/** A log that a transaction will leave. What else a node tells of one is passed over. */
export interface PendingLog {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data?: string | undefined;
}

/** Swap to price. */
export type PriceRequest = SwapRequest &
  AtBlock & {
    /** Logs to come that the price is on top of, where the operator allows it. Not with `takerAddress`. */
    readonly overrides?: readonly PendingLog[] | undefined;
  };

/** The fields of a request on the wire; prices and quotes have the same. */
type RequestFields = FieldsOf<MessageInitShape<typeof GetPriceRequestSchema>>;
type LadderFields = FieldsOf<MessageInitShape<typeof GetPriceLadderRequestSchema>>;
type TokensFields = FieldsOf<MessageInitShape<typeof ListTokensRequestSchema>>;

/** Check of a parameter's value, and its description for error messages. */
interface Form {
  readonly says: string;
  holds(value: unknown): boolean;
}

const TEXT: Form = { says: "a string", holds: (value) => typeof value === "string" };
const UNITS: Form = { says: "a bigint, or a string of digits: a number would round", holds: TEXT.holds };
const FLAG: Form = { says: "true or false", holds: (value) => typeof value === "boolean" };
const NAMES: Form = { says: "an array of names", holds: (value) => Array.isArray(value) && value.every(TEXT.holds) };
const COUNT: Form = { says: "a whole number", holds: (value) => TEXT.holds(value) || Number.isSafeInteger(value) };
const SIZE: Form = { says: "a whole number", holds: (value) => Number.isInteger(value) && Number(value) >= 0 };

const FORMS: Readonly<Record<Exclude<keyof RequestFields, "blockNumber" | "overrides">, Form>> = {
  sellToken: TEXT,
  buyToken: TEXT,
  sellAmount: UNITS,
  buyAmount: UNITS,
  slippagePercentage: TEXT,
  takerAddress: TEXT,
  excludedSources: NAMES,
  includedSources: NAMES,
  integratorPercentageFee: TEXT,
  integratorRecipientAddress: TEXT,
  gasPrice: UNITS,
  skipValidation: FLAG,
  priceImpactProtectionPercentage: TEXT,
  swapFeeToken: TEXT,
  recipient: TEXT,
  approvalMode: TEXT,
  sellEntireBalance: FLAG,
  excludedPools: NAMES,
  excludedTokens: NAMES,
  connectorTokens: NAMES,
  maxHops: COUNT,
  maxFills: COUNT,
};

const AMOUNTS: Form = {
  says: "an array of bigints, or of strings of digits",
  holds: (value) => Array.isArray(value) && value.every((each) => typeof each === "bigint" || TEXT.holds(each)),
};

const LADDER_FORMS: Readonly<Record<keyof LadderFields, Form>> = {
  sellToken: TEXT,
  buyToken: TEXT,
  sellAmounts: AMOUNTS,
  buyAmounts: AMOUNTS,
  slippagePercentage: TEXT,
  excludedSources: NAMES,
  includedSources: NAMES,
  integratorPercentageFee: TEXT,
  integratorRecipientAddress: TEXT,
  gasPrice: UNITS,
  swapFeeToken: TEXT,
  excludedPools: NAMES,
  excludedTokens: NAMES,
  connectorTokens: NAMES,
  maxHops: COUNT,
  maxFills: COUNT,
  blockNumber: COUNT,
};

const LOGS: Form = {
  says: "an array of logs with address, topics and data",
  holds: (value) => Array.isArray(value) && value.every(isLog),
};

function isLog(value: unknown): value is PendingLog {
  if (typeof value !== "object" || value === null) return false;
  const { address, topics, data = "0x" } = value as Partial<Record<keyof PendingLog, unknown>>;
  return TEXT.holds(address) && NAMES.holds(topics) && TEXT.holds(data);
}

/** A ladder's request in the form of the contract. @throws SwapCallError as `toMessage` does */
export function toLadderMessage(request: LadderRequest): LadderFields {
  return inText(checked(request, LADDER_FORMS)) as LadderFields;
}

const TOKENS_FORMS: Readonly<Record<keyof TokensFields, Form>> = {
  search: TEXT,
  addresses: NAMES,
  pageSize: SIZE,
  cursor: TEXT,
};

/** A price's request in the form of the contract. @throws SwapCallError as `toMessage` does */
export function toPriceMessage(request: PriceRequest): RequestFields {
  const { overrides, ...rest } = checked(request, { ...FORMS, blockNumber: COUNT, overrides: LOGS }) as PriceRequest;
  const logs = overrides?.map(({ address, topics, data = "0x" }) => ({ address, topics: [...topics], data }));
  return { ...inText(rest), ...(logs && { overrides: logs }) } as RequestFields;
}

/** A batch in the form of the contract. @throws SwapCallError as `toMessage` does, with what is wrong with the first that is */
export function toBatchMessage(requests: readonly SwapRequest[], blockNumber: AtBlock["blockNumber"]) {
  const description = "requests must be an array of requests";
  if (!Array.isArray(requests)) throw invalidRequest([{ field: "requests", reason: "INVALID_TYPE", description }]);
  const messages = requests.map((request) => toMessage(request));
  return { requests: messages, ...(blockNumber !== undefined && { blockNumber: String(blockNumber) }) };
}

/**
 * A request in the form of the contract. What is wrong with its values is for the service to say; what it would never get to
 * see is refused here: names that are no parameter, which protobuf passes over, and values of another type.
 * @throws SwapCallError INVALID_PARAMETERS with every problem, as the service would
 */
export function toMessage(request: SwapRequest): RequestFields {
  return inText(checked(request, FORMS)) as RequestFields;
}

/** Converts a token request to the contract's form. @throws ConnectError INVALID_ARGUMENT with every problem */
export function tokensMessage(request: TokensRequest): TokensFields {
  return checked(request, TOKENS_FORMS) as TokensFields;
}

function checked(request: object, forms: Readonly<Record<string, Form>>): object {
  const given = Object.entries(request ?? {})
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => [name, typeof value === "bigint" ? String(value) : value] as const);
  const problems = given.flatMap((entry) => problemOf(entry, forms));
  if (problems.length > 0) throw invalidRequest(problems);
  return Object.fromEntries(given);
}

/** With counts as decimal text too, and the amounts of a list. */
function inText(fields: object): object {
  const asText = (value: unknown) => (typeof value === "number" ? String(value) : value);
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, Array.isArray(value) ? value.map(String) : asText(value)]),
  );
}

function problemOf(
  [field, value]: readonly [string, unknown],
  forms: Readonly<Record<string, Form>>,
): readonly FieldProblem[] {
  const form = Object.hasOwn(forms, field) ? forms[field] : undefined;
  if (form === undefined) {
    const description = `there is no parameter "${field}" - known: ${Object.keys(forms).join(", ")}`;
    return [{ field, reason: "UNKNOWN_PARAMETER", description }];
  }
  return form.holds(value) ? [] : [{ field, reason: "INVALID_TYPE", description: `${field} must be ${form.says}` }];
}
