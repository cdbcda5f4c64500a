import { TOKEN_PAGE } from "../../src/quoting/tokens/token-directory.ts";

/** Mark of a parameter, field or operation that should not be used any more. */
export function markOf({ deprecated }: { readonly deprecated: boolean }): { readonly deprecated?: true } {
  return deprecated ? { deprecated } : {};
}

/** Keywords of a value's JSON schema beyond its type. */
type Form = Readonly<Record<string, unknown>>;

const UNITS = "(0|[1-9][0-9]{0,77})";
const DECIMAL = "(0|[1-9][0-9]*)(\\.[0-9]+)?";

const HEX_ADDRESS = "0x[0-9a-fA-F]{40}";
const ANY_ADDRESS: Form = { pattern: `^${HEX_ADDRESS}$` };
const ADDRESS: Form = { pattern: "^0x[0-9a-f]{40}$" };
const AMOUNT: Form = { pattern: `^${UNITS}$` };
const NUMBER: Form = { pattern: `^${DECIMAL}$` };
const FRACTION: Form = { pattern: `^${DECIMAL}$` };
const COUNT: Form = { pattern: "^[1-9][0-9]{0,2}$" };
const HASH: Form = { pattern: "^0x[0-9a-f]{64}$" };

/** Parameters of a request, by name. */
export const PARAMETER_FORMS: Readonly<Record<string, Form>> = {
  sellToken: ANY_ADDRESS,
  buyToken: ANY_ADDRESS,
  sellAmount: { pattern: "^[1-9][0-9]{0,77}$" },
  buyAmount: { pattern: "^[1-9][0-9]{0,77}$" },
  excludedTokens: ANY_ADDRESS,
  connectorTokens: ANY_ADDRESS,
  blockNumber: AMOUNT,
  maxHops: COUNT,
  maxFills: COUNT,
  sellAmounts: { pattern: "^[1-9][0-9]{0,77}$" },
  buyAmounts: { pattern: "^[1-9][0-9]{0,77}$" },
  slippagePercentage: { pattern: `^(auto|${DECIMAL})$`, default: "0.01" },
  takerAddress: ANY_ADDRESS,
  integratorPercentageFee: { pattern: `^${DECIMAL}( *, *${DECIMAL}){0,3}$` },
  integratorRecipientAddress: { pattern: `^${HEX_ADDRESS}( *, *${HEX_ADDRESS}){0,3}$` },
  swapFeeToken: ANY_ADDRESS,
  recipient: ANY_ADDRESS,
  approvalMode: { enum: ["approve", "permit2", "eip2612", "none"], default: "approve" },
  gasPrice: AMOUNT,
  priceImpactProtectionPercentage: { ...FRACTION, default: "1" },
  search: { minLength: 1, maxLength: TOKEN_PAGE.mostSearchLength },
  addresses: { ...ANY_ADDRESS, maxItems: TOKEN_PAGE.mostAddresses },
  pageSize: { minimum: 1, maximum: TOKEN_PAGE.mostTokens, default: TOKEN_PAGE.tokens },
};

/** Fields of answers by message, then those that are the same in every message. */
const FIELD_FORMS: Readonly<Record<string, Readonly<Record<string, Form>>>> = {
  Order: { type: { enum: [0, 1, 2, 3] } },
  PendingLog: {
    address: ANY_ADDRESS,
    topics: { pattern: "^0x[0-9a-fA-F]{64}$" },
    data: { pattern: "^0x([0-9a-fA-F]{2})*$" },
  },
  OrderFill: { input: AMOUNT, output: AMOUNT },
  RouteFill: { from: ADDRESS, to: ADDRESS },
  RouteToken: { decimals: { maximum: 255 } },
  TradableToken: { decimals: { maximum: 255 } },
  GetQuoteResponse: { to: ADDRESS },
  Permit: { type: { enum: ["Permit2", "EIP2612"] } },
  Call: { to: ADDRESS },
  Optimality: { bound: { pattern: `^-?${UNITS}$` }, achieved: { pattern: `^-?${UNITS}$` } },
  AllowanceIssue: { actual: AMOUNT },
  BalanceIssue: { actual: AMOUNT, expected: AMOUNT },
  WatchHeartbeat: { blockNumber: { pattern: `^${UNITS}?$` }, blockHash: { pattern: "^(0x[0-9a-f]{64})?$" } },
  LiquiditySource: {
    kind: { enum: ["amm", "maker", "rfq", "wrapper"] },
    status: { enum: ["live", "syncing", "stale", "off"] },
    assurance: { enum: ["exact", "modelled"] },
  },
};

const PLAIN_FORMS: Readonly<Record<string, Form>> = {
  ...Object.fromEntries(
    [
      ...["value", "gasPrice", "gas", "estimatedGas", "protocolFee", "minimumProtocolFee", "buyAmount", "sellAmount"],
      ...["grossBuyAmount", "grossSellAmount", "minBuyAmount", "maxSellAmount", "totalNetworkFee", "blockNumber"],
      ...["blockTimestamp", "expiry", "makerAmount", "takerAmount", "adjustedOutput", "amount", "pools"],
      ...["sleepingPools", "depth", "ageSeconds"],
    ].map((name) => [name, AMOUNT]),
  ),
  ...Object.fromEntries(
    [
      ...["price", "guaranteedPrice", "estimatedPriceImpact", "sellTokenToEthRate", "buyTokenToEthRate"],
      ...["proportion", "rate", "gapBps", "nativeRate"],
    ].map((name) => [name, NUMBER]),
  ),
  ...Object.fromEntries(
    [
      ...["buyTokenAddress", "sellTokenAddress", "allowanceTarget", "makerToken", "takerToken", "token", "recipient"],
      ...["spender", "address", "intermediateToken", "intermediateTokens", "wrappedNative", "usdToken"],
      ...["gateway", "permit2", "orderSettlement"],
    ].map((name) => [name, ADDRESS]),
  ),
  blockHash: HASH,
  expectedSlippage: { pattern: `^(0|-${DECIMAL})$` },
  slippagePercentage: NUMBER,
  buyTaxBps: NUMBER,
  sellTaxBps: NUMBER,
  transferTaxBps: NUMBER,
  data: { pattern: "^0x([0-9a-f]{2})*$" },
};

/** The form of a field of an answer; empty where there is none. */
export function formOf(message: string, field: string): Form {
  return FIELD_FORMS[message]?.[field] ?? PLAIN_FORMS[field] ?? {};
}
