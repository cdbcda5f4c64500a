import type { JsonObject, MessageInitShape } from "@bufbuild/protobuf";
import type {
  GetPriceResponseSchema,
  GetQuoteResponseSchema,
  ListSourcesResponseSchema,
  OrderSchema,
  RouteSourceSchema,
  TokenTaxesSchema,
} from "#gen/swap/v1/swap_pb.ts";
import { percentOf } from "../../domain/decimal.ts";
import { divide, type Ratio } from "../../domain/ratio.ts";
import type { TokenTax, TransferTax } from "../../domain/token-verdict.ts";
import type { AnswerOrder, AnswerSource, PriceAnswer, QuoteAnswer, SourceRecord } from "../../quoting/answer/types.ts";
import { formatRatio, formatScaled } from "./decimal.ts";
import { wireTypedData } from "./typed-data.ts";

/** A price as the contract spells it. */
export function priceResponse(answer: PriceAnswer): MessageInitShape<typeof GetPriceResponseSchema> {
  const { overrides } = answer;
  return {
    ...priceFields(answer),
    ...(overrides && { overrides: { logs: overrides.logs, pools: [...overrides.pools] } }),
  };
}

/** A quote as the contract spells it. */
export function quoteResponse(answer: QuoteAnswer): MessageInitShape<typeof GetQuoteResponseSchema> {
  const { allowance, balance, simulationIncomplete } = answer.issues;
  return {
    ...priceFields(answer),
    guaranteedPrice: formatRatio(answer.guaranteedPrice, "up"),
    to: answer.to,
    data: answer.data,
    expiry: String(answer.expiry),
    issues: {
      ...(allowance !== null && { allowance: { actual: String(allowance.actual), spender: allowance.spender } }),
      ...(balance !== null && {
        balance: { token: balance.token, actual: String(balance.actual), expected: String(balance.expected) },
      }),
      simulationIncomplete,
    },
    ...(answer.permit !== null && {
      permit: { type: answer.permit.type, eip712: wireTypedData(answer.permit.eip712) },
    }),
    calls: answer.calls.map(({ to, data, value }) => ({ to, data, value: String(value) })),
  };
}

/** The sources as the contract spells them. */
export function sourcesResponse(sources: readonly SourceRecord[]): MessageInitShape<typeof ListSourcesResponseSchema> {
  return {
    records: sources.map((source) => source.name),
    sources: sources.map((source) => ({
      ...source,
      pools: String(source.pools),
      sleepingPools: String(source.sleepingPools),
      leftOut: source.leftOut.map(({ reason, pools }) => ({ reason, pools: String(pools) })),
      blockNumber: String(source.blockNumber),
    })),
  };
}

/** Decimals of fractions that are scaled by FRACTION_ONE, and of parts per million. */
const FRACTION_DECIMALS = 18;
const PPM_DECIMALS = 6;
/** Decimals of parts per million as basis points. */
const TAX_DECIMALS = 2;
/** Decimals that a gap in basis points shows at most. */
const BPS_DECIMALS = 4;

function fraction(scaled: bigint): string {
  return formatScaled(scaled, FRACTION_DECIMALS);
}

/** A fraction in basis points with 4 decimals at most, rounded up. */
function basisPoints({ num, den }: Ratio): string {
  return formatScaled(divide(num * 10n ** BigInt(4 + BPS_DECIMALS), den, "up"), BPS_DECIMALS);
}

/** Taxes in basis points; none where they are not known. */
function taxBps(tax: TokenTax | null): MessageInitShape<typeof TokenTaxesSchema> {
  if (tax === null) return {};
  const bps = ({ ppm }: TransferTax) => formatScaled(ppm, TAX_DECIMALS);
  return { buyTaxBps: bps(tax.buy), sellTaxBps: bps(tax.sell), transferTaxBps: bps(tax.transfer) };
}

/** Rounded down, "0" when unknown. */
function nativeRate(rate: Ratio | null): string {
  return rate === null ? "0" : formatRatio(rate, "down");
}

/** Fields that price and quote have in common. */
export function priceFields(answer: PriceAnswer) {
  const { block, fees, optimality, estimatedPriceImpact: impact } = answer;
  return {
    chainId: answer.chainId,
    // Prices are rounded against the taker.
    price: formatRatio(answer.price, "up"),
    ...(impact !== null && { estimatedPriceImpact: String(percentOf(impact)) }),
    ...(answer.expectedSlippage !== null && { expectedSlippage: fraction(-answer.expectedSlippage) }),
    slippagePercentage: fraction(answer.slippage),
    value: String(answer.value),
    gasPrice: String(answer.gasPrice),
    gas: String(answer.gas),
    estimatedGas: String(answer.estimatedGas),
    protocolFee: "0",
    minimumProtocolFee: "0",
    buyTokenAddress: answer.buyToken.address,
    buyAmount: String(answer.buyAmount),
    sellTokenAddress: answer.sellToken.address,
    sellAmount: String(answer.sellAmount),
    sources: answer.sources.map(sourceShare),
    orders: answer.orders.map(order),
    allowanceTarget: answer.allowanceTarget,
    sellTokenToEthRate: nativeRate(answer.sellTokenToEthRate),
    buyTokenToEthRate: nativeRate(answer.buyTokenToEthRate),
    blockNumber: String(block.number),
    blockHash: block.hash,
    blockTimestamp: String(block.timestamp),
    grossBuyAmount: String(answer.grossBuyAmount),
    grossSellAmount: String(answer.grossSellAmount),
    minBuyAmount: String(answer.minBuyAmount),
    maxSellAmount: String(answer.maxSellAmount),
    totalNetworkFee: String(answer.totalNetworkFee),
    tokenMetadata: { buyToken: taxBps(answer.taxes.buyToken), sellToken: taxBps(answer.taxes.sellToken) },
    fees: {
      ...(fees.length === 1 && { integratorFee: integratorFee(fees[0] as AnswerFee) }),
      integratorFees: fees.map(integratorFee),
      ...(answer.surplus !== null && { surplus: surplusShare(answer.surplus) }),
    },
    route: {
      tokens: answer.route.tokens.map(({ address, symbol, decimals, wholeUnits }) => ({
        ...{ address, symbol, decimals },
        ...(wholeUnits && { wholeUnits }),
      })),
      fills: answer.route.fills.map((fill) => ({
        ...fill,
        proportion: fraction(fill.proportion),
        sellAmount: String(fill.sellAmount),
        buyAmount: String(fill.buyAmount),
      })),
    },
    ...(optimality !== null && {
      optimality: {
        bound: String(optimality.bound),
        achieved: String(optimality.achieved),
        ...(optimality.gap !== null && { gapBps: basisPoints(optimality.gap) }),
      },
    }),
  };
}

function sourceShare(source: AnswerSource): MessageInitShape<typeof RouteSourceSchema> {
  const { name, multiHop } = source;
  const proportion = fraction(source.proportion);
  if (multiHop === undefined) return { name, proportion };
  const [first] = multiHop.intermediateTokens;
  return {
    name,
    proportion,
    ...(first !== undefined && { intermediateToken: first }),
    intermediateTokens: [...multiHop.intermediateTokens],
    hops: [...multiHop.hops],
  };
}

type AnswerFee = PriceAnswer["fees"][number];

function integratorFee({ amount, token, ratePpm, recipient }: AnswerFee) {
  return { amount: String(amount), token, rate: formatScaled(ratePpm, PPM_DECIMALS), recipient };
}

function surplusShare({ ratePpm, quotedBuyAmount, token, recipient }: NonNullable<PriceAnswer["surplus"]>) {
  return { share: formatScaled(ratePpm, PPM_DECIMALS), quotedAmount: String(quotedBuyAmount), token, recipient };
}

function order(answer: AnswerOrder): MessageInitShape<typeof OrderSchema> {
  const { fill } = answer;
  return {
    type: answer.type,
    source: answer.source,
    makerToken: answer.makerToken,
    takerToken: answer.takerToken,
    makerAmount: String(answer.makerAmount),
    takerAmount: String(answer.takerAmount),
    fillData: { ...answer.fillData } satisfies JsonObject,
    fill: {
      input: String(fill.input),
      output: String(fill.output),
      adjustedOutput: String(fill.adjustedOutput),
      gas: String(fill.gas),
    },
  };
}
