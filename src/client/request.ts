import type { MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { BadRequestSchema } from "#gen/google/rpc/error_details_pb.ts";
import type { GetPriceRequestSchema } from "#gen/swap/v1/swap_pb.ts";
import type { FieldProblem } from "./swap-call-error.ts";

/** Base units of a token (or wei): a bigint, or a whole number in decimal digits. Never a number: it would round. */
export type BaseUnits = bigint | string;

/** What both kinds of request share. Fractions are decimal strings: "0.01" is 1 %. */
interface SwapParameters {
  /** Contract address; the native token is NATIVE_TOKEN. */
  readonly sellToken: string;
  readonly buyToken: string;
  /** Default "0.01"; "auto": what the route's own moves ask for. */
  readonly slippagePercentage?: string | undefined;
  /** Whoever sends the transaction: makes gas exact and lets `issues` tell what is missing. */
  readonly takerAddress?: string | undefined;
  /** Cannot be combined with `includedSources`. */
  readonly excludedSources?: readonly string[] | undefined;
  readonly includedSources?: readonly string[] | undefined;
  /** Goes with `integratorRecipientAddress`; up to four of each, separated by commas. */
  readonly integratorPercentageFee?: string | undefined;
  readonly integratorRecipientAddress?: string | undefined;
  /** Wei per gas. */
  readonly gasPrice?: BaseUnits | undefined;
  readonly skipValidation?: boolean | undefined;
  readonly priceImpactProtectionPercentage?: string | undefined;
  /** Token that the integrator fee is taken of; default: the one that is bought. */
  readonly swapFeeToken?: string | undefined;
  /** Who receives what is bought; default: whoever sends the transaction. */
  readonly recipient?: string | undefined;
  /** Default "approve". "permit2" and "eip2612" need `takerAddress`: see `withSignature`. */
  readonly approvalMode?: "approve" | "permit2" | "eip2612" | "none" | undefined;
  /** Sells the taker's whole balance, at most `sellAmount`. */
  readonly sellEntireBalance?: boolean | undefined;
}

/** What to price or quote: `sellAmount` sells exactly that much, `buyAmount` receives at least that much. */
export type SwapRequest = SwapParameters &
  (
    | { readonly sellAmount: BaseUnits; readonly buyAmount?: never }
    | { readonly buyAmount: BaseUnits; readonly sellAmount?: never }
  );

/** The fields of a request on the wire; prices and quotes have the same. */
type RequestFields = Omit<MessageInitShape<typeof GetPriceRequestSchema>, "$typeName" | "$unknown">;

/** What a parameter has to be, in words, and whether a value is that. */
interface Form {
  readonly says: string;
  holds(value: unknown): boolean;
}

const TEXT: Form = { says: "a string", holds: (value) => typeof value === "string" };
const UNITS: Form = { says: "a bigint, or a string of digits: a number would round", holds: TEXT.holds };
const FLAG: Form = { says: "true or false", holds: (value) => typeof value === "boolean" };
const NAMES: Form = { says: "an array of names", holds: (value) => Array.isArray(value) && value.every(TEXT.holds) };

const FORMS: Readonly<Record<keyof RequestFields, Form>> = {
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
};

/**
 * A request in the form of the contract. What is wrong with its values is for the service to say; what it would never get to
 * see is refused here: names that are no parameter, which protobuf passes over, and values of another type.
 * @throws ConnectError INVALID_ARGUMENT with every problem, as the service would
 */
export function toMessage(request: SwapRequest): RequestFields {
  const given = Object.entries(request ?? {})
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => [name, typeof value === "bigint" ? String(value) : value] as const);
  const problems = given.flatMap(problemOf);
  const [first] = problems;
  if (first === undefined) return Object.fromEntries(given) as RequestFields;
  throw new ConnectError(first.description, Code.InvalidArgument, undefined, [
    { desc: BadRequestSchema, value: { fieldViolations: problems } },
  ]);
}

function problemOf([field, value]: readonly [string, unknown]): readonly FieldProblem[] {
  const form = Object.hasOwn(FORMS, field) ? FORMS[field as keyof RequestFields] : undefined;
  if (form === undefined) {
    const description = `there is no parameter "${field}" - known: ${Object.keys(FORMS).join(", ")}`;
    return [{ field, reason: "UNKNOWN_PARAMETER", description }];
  }
  return form.holds(value) ? [] : [{ field, reason: "INVALID_TYPE", description: `${field} must be ${form.says}` }];
}
