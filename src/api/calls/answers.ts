import type { JsonObject, MessageInitShape } from "@bufbuild/protobuf";
import type {
  GetPriceResponseSchema,
  GetQuoteResponseSchema,
  ListSourcesResponseSchema,
  OrderSchema,
  RouteSourceSchema,
} from "#gen/swap/v1/swap_pb.ts";
import type {
  AnswerOrder,
  AnswerSource,
  PriceAnswer,
  QuoteAnswer,
  SourceRecord,
} from "../../quoting/answer/answers.ts";

/** A price as the contract spells it. */
export function priceResponse(answer: PriceAnswer): MessageInitShape<typeof GetPriceResponseSchema> {
  return sharedFields(answer);
}

/** A quote as the contract spells it. */
export function quoteResponse(answer: QuoteAnswer): MessageInitShape<typeof GetQuoteResponseSchema> {
  const { allowance, balance, simulationIncomplete } = answer.issues;
  return {
    ...sharedFields(answer),
    guaranteedPrice: answer.guaranteedPrice,
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

/** What price and quote have in common. */
function sharedFields(answer: PriceAnswer) {
  const { block, fee, optimality } = answer;
  return {
    chainId: answer.chainId,
    price: answer.price,
    ...(answer.estimatedPriceImpact !== null && { estimatedPriceImpact: answer.estimatedPriceImpact }),
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
    sellTokenToEthRate: answer.sellTokenToEthRate,
    buyTokenToEthRate: answer.buyTokenToEthRate,
    blockNumber: String(block.number),
    blockHash: block.hash,
    blockTimestamp: String(block.timestamp),
    grossBuyAmount: String(answer.grossBuyAmount),
    grossSellAmount: String(answer.grossSellAmount),
    minBuyAmount: String(answer.minBuyAmount),
    maxSellAmount: String(answer.maxSellAmount),
    totalNetworkFee: String(answer.totalNetworkFee),
    fees: {
      ...(fee !== null && {
        integratorFee: { amount: String(fee.amount), token: fee.token, rate: fee.rate, recipient: fee.recipient },
      }),
    },
    route: {
      tokens: answer.route.tokens.map(({ address, symbol, decimals, wholeUnits }) => ({
        ...{ address, symbol, decimals },
        ...(wholeUnits && { wholeUnits }),
      })),
      fills: answer.route.fills.map((fill) => ({
        ...fill,
        sellAmount: String(fill.sellAmount),
        buyAmount: String(fill.buyAmount),
      })),
    },
    ...(optimality !== null && {
      optimality: {
        bound: String(optimality.bound),
        achieved: String(optimality.achieved),
        ...(optimality.gapBps !== null && { gapBps: optimality.gapBps }),
      },
    }),
  };
}

function sourceShare(source: AnswerSource): MessageInitShape<typeof RouteSourceSchema> {
  const { name, proportion, multiHop } = source;
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
