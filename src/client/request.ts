import type { MessageInitShape } from "@bufbuild/protobuf";
import type { GetPriceRequestSchema } from "#gen/swap/v1/swap_pb.ts";

/** Base units of a token (or wei): a bigint, or a whole number in decimal digits. Never a number: it would round. */
export type BaseUnits = bigint | string;

/** What both kinds of request share. Fractions are decimal strings: "0.01" is 1 %. */
interface SwapParameters {
  /** Contract address; the native token is NATIVE_TOKEN. */
  readonly sellToken: string;
  readonly buyToken: string;
  /** Default "0.01". */
  readonly slippagePercentage?: string | undefined;
  /** Whoever sends the transaction: makes gas exact and lets `issues` tell what is missing. */
  readonly takerAddress?: string | undefined;
  /** Cannot be combined with `includedSources`. */
  readonly excludedSources?: readonly string[] | undefined;
  readonly includedSources?: readonly string[] | undefined;
  /** Goes with `integratorRecipientAddress`. */
  readonly integratorPercentageFee?: string | undefined;
  readonly integratorRecipientAddress?: string | undefined;
  /** Wei per gas. */
  readonly gasPrice?: BaseUnits | undefined;
  readonly skipValidation?: boolean | undefined;
  readonly priceImpactProtectionPercentage?: string | undefined;
}

/** What to price or quote: `sellAmount` sells exactly that much, `buyAmount` receives at least that much. */
export type SwapRequest = SwapParameters &
  (
    | { readonly sellAmount: BaseUnits; readonly buyAmount?: never }
    | { readonly buyAmount: BaseUnits; readonly sellAmount?: never }
  );

/** The fields of a request on the wire; prices and quotes have the same. */
type RequestFields = Omit<MessageInitShape<typeof GetPriceRequestSchema>, "$typeName" | "$unknown">;

/** A request in the form of the contract. What is wrong with it is for the service to say. */
export function toMessage(request: SwapRequest): RequestFields {
  const { excludedSources, includedSources, sellAmount, buyAmount, gasPrice, ...rest } = request;
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  return {
    ...given,
    ...(sellAmount !== undefined && { sellAmount: sellAmount.toString() }),
    ...(buyAmount !== undefined && { buyAmount: buyAmount.toString() }),
    ...(gasPrice !== undefined && { gasPrice: gasPrice.toString() }),
    ...(excludedSources !== undefined && { excludedSources: [...excludedSources] }),
    ...(includedSources !== undefined && { includedSources: [...includedSources] }),
  };
}
