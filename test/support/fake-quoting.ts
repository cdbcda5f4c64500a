import { type Address, NATIVE_TOKEN, toAddress } from "../../src/domain/address.ts";
import type { Token } from "../../src/domain/token.ts";
import type {
  CallContext,
  PriceAnswer,
  QuoteAnswer,
  Quoting,
  SourceRecord,
  SwapRequest,
} from "../../src/quoting/answer/answers.ts";
import type { TokenRegistry } from "../../src/quoting/ports.ts";

export const WETH: Token = token("0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2", "WETH", 18);
export const USDC: Token = token("0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48", "USDC", 6);
export const WBTC: Token = token("0x2260fac5e5542a773aa44fbcfedf7c193bc2c599", "WBTC", 8);
export const NATIVE: Token = { address: NATIVE_TOKEN, symbol: "ETH", name: "Ether", decimals: 18 };
export const GATEWAY = toAddress("0x00000000000000000000000000000000000000aa");
export const TAKER = toAddress("0x1111111111111111111111111111111111111111");

/** Without symbol() and decimals(). */
export const BARE: Token = {
  ...token("0xe0b7927c4af23765cb51314a0e0521a9645f0e2a", "", 0),
  wholeUnits: true,
};

const TOKENS = [WETH, USDC, WBTC, NATIVE, BARE];
const POOL = "0x2222222222222222222222222222222222222222";

function token(address: string, symbol: string, decimals: number): Token {
  return { address: toAddress(address), symbol, name: symbol, decimals };
}

/** A registry of the tokens above. */
export const fakeTokens: TokenRegistry = {
  find: async (address) => TOKENS.find((known) => known.address === address),
  describe: async (address) =>
    TOKENS.find((known) => known.address === address) ?? { address, symbol: "", name: "", decimals: 18 },
  known: (address) => TOKENS.find((known) => known.address === address),
  bySymbol: (symbol) => TOKENS.filter((known) => known.symbol.toLowerCase() === symbol.toLowerCase()),
};

export const FAKE_SOURCES: readonly SourceRecord[] = [
  {
    name: "SushiSwap",
    kind: "amm",
    pools: 0,
    sleepingPools: 0,
    leftOut: [],
    status: "syncing",
    blockNumber: 99n,
    exactOut: true,
    assurance: "modelled",
  },
  {
    name: "Uniswap_V2",
    kind: "amm",
    pools: 5,
    sleepingPools: 0,
    leftOut: [],
    status: "live",
    blockNumber: 100n,
    exactOut: true,
    assurance: "exact",
  },
  {
    name: "Uniswap_V3",
    kind: "amm",
    pools: 7,
    sleepingPools: 1_200,
    leftOut: [{ reason: "TOKEN_NOT_A_HOP", pools: 3 }],
    status: "live",
    blockNumber: 100n,
    exactOut: true,
    assurance: "exact",
  },
];

/** What the fake was asked, and what it does beyond answering. */
export interface FakeQuoting extends Quoting {
  readonly asked: { readonly request: SwapRequest; readonly context: CallContext }[];
  /** Runs before each answer: may throw, or wait. */
  before: (request: SwapRequest, context: CallContext) => Promise<void>;
}

/** Answers everything with two buyToken base units per sellToken base unit. */
export function createFakeQuoting(): FakeQuoting {
  const fake: FakeQuoting = {
    asked: [],
    before: async () => {},
    async price(request, context) {
      fake.asked.push({ request, context });
      await fake.before(request, context);
      return fakePrice(request);
    },
    async quote(request, context) {
      fake.asked.push({ request, context });
      await fake.before(request, context);
      return fakeQuote(request);
    },
    listSources: () => FAKE_SOURCES,
  };
  return fake;
}

function fakePrice(request: SwapRequest): PriceAnswer {
  const { sellToken, buyToken, amount } = request;
  const sellAmount = amount.kind === "exactIn" ? amount.sellAmount : (amount.buyAmount + 1n) / 2n;
  const buyAmount = sellAmount * 2n;
  return {
    chainId: 31337,
    block: {
      number: 100n,
      hash: `0x${"ab".repeat(32)}`,
      parentHash: `0x${"cd".repeat(32)}`,
      timestamp: 1_700_000_000n,
    },
    sellToken,
    buyToken,
    price: "0.5",
    estimatedPriceImpact: null,
    value: sellToken.address === NATIVE_TOKEN ? sellAmount : 0n,
    gasPrice: request.gasPrice ?? 1_000_000_000n,
    gas: 150_000n,
    estimatedGas: 120_000n,
    buyAmount,
    sellAmount,
    grossBuyAmount: buyAmount,
    grossSellAmount: sellAmount,
    minBuyAmount: buyAmount,
    maxSellAmount: sellAmount,
    totalNetworkFee: 120_000_000_000_000n,
    sources: [
      { name: "Uniswap_V2", proportion: "0.75" },
      {
        name: "MultiHop",
        proportion: "0.25",
        multiHop: { intermediateTokens: [WBTC.address], hops: ["Uniswap_V3", "Uniswap_V2"] },
      },
    ],
    orders: [
      {
        type: 0,
        source: "Uniswap_V2",
        makerToken: buyToken.address,
        takerToken: sellToken.address,
        makerAmount: buyAmount,
        takerAmount: sellAmount,
        fillData: { pool: POOL },
        fill: { input: sellAmount, output: buyAmount, adjustedOutput: 0n, gas: 90_000n },
      },
    ],
    allowanceTarget: GATEWAY,
    sellTokenToEthRate: "1",
    buyTokenToEthRate: "2",
    fee:
      request.fee === undefined
        ? null
        : { amount: 1n, token: buyToken.address, rate: "0.001", recipient: request.fee.recipient },
    route: {
      tokens: [sellToken, buyToken],
      fills: [
        {
          from: sellToken.address,
          to: buyToken.address,
          source: "Uniswap_V2",
          pool: POOL,
          proportion: "1",
          sellAmount,
          buyAmount,
        },
      ],
    },
    optimality: { bound: buyAmount, achieved: buyAmount, gapBps: null },
  };
}

function fakeQuote(request: SwapRequest): QuoteAnswer {
  const to: Address = GATEWAY;
  return {
    ...fakePrice(request),
    guaranteedPrice: "0.51",
    to,
    data: "0x1234",
    expiry: 1_700_000_120n,
    issues: {
      allowance: { actual: 0n, spender: GATEWAY },
      balance: null,
      simulationIncomplete: false,
    },
  };
}
