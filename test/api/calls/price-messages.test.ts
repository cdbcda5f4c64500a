import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BARE, GATEWAY, TAKER, USDC, WBTC, WETH } from "../../../fixtures/door/fake-quoting.ts";
import { type Door, KEY, openDoor } from "../../support/door/http.ts";
import { REQUEST } from "../../support/door/price-call.ts";

const RECIPIENT = "0x3333333333333333333333333333333333333333";

let door: Door;
beforeAll(async () => {
  door = await openDoor();
});
afterAll(() => door.server.drain(1_000));

/** The whole price that the fake gives for REQUEST, field by field as the contract spells it. */
const PRICE = {
  chainId: 31337,
  price: "0.5",
  estimatedPriceImpact: null,
  value: "0",
  gasPrice: "1000000000",
  gas: "150000",
  estimatedGas: "120000",
  protocolFee: "0",
  minimumProtocolFee: "0",
  buyTokenAddress: USDC.address,
  buyAmount: "2000",
  sellTokenAddress: WETH.address,
  sellAmount: "1000",
  sources: [
    { name: "Uniswap_V2", proportion: "0.75", intermediateTokens: [], hops: [] },
    {
      name: "MultiHop",
      proportion: "0.25",
      intermediateToken: WBTC.address,
      intermediateTokens: [WBTC.address],
      hops: ["Uniswap_V3", "Uniswap_V2"],
    },
  ],
  orders: [
    {
      type: 0,
      source: "Uniswap_V2",
      makerToken: USDC.address,
      takerToken: WETH.address,
      makerAmount: "2000",
      takerAmount: "1000",
      fillData: { pool: "0x2222222222222222222222222222222222222222" },
      fill: { input: "1000", output: "2000", adjustedOutput: "0", gas: "90000" },
    },
  ],
  allowanceTarget: GATEWAY,
  sellTokenToEthRate: "1",
  buyTokenToEthRate: "2",
  expectedSlippage: null,
  slippagePercentage: "0.01",
  blockNumber: "100",
  blockHash: `0x${"ab".repeat(32)}`,
  blockTimestamp: "1700000000",
  grossBuyAmount: "2000",
  grossSellAmount: "1000",
  minBuyAmount: "2000",
  maxSellAmount: "1000",
  totalNetworkFee: "120000000000000",
  fees: { integratorFee: null, integratorFees: [], surplus: null },
  route: {
    tokens: [
      { address: WETH.address, symbol: "WETH", decimals: 18 },
      { address: USDC.address, symbol: "USDC", decimals: 6 },
    ],
    fills: [
      {
        from: WETH.address,
        to: USDC.address,
        source: "Uniswap_V2",
        pool: "0x2222222222222222222222222222222222222222",
        proportion: "1",
        sellAmount: "1000",
        buyAmount: "2000",
      },
    ],
  },
  optimality: { bound: "2000", achieved: "2000", gapBps: null },
  tokenMetadata: {
    buyToken: { buyTaxBps: null, sellTaxBps: null, transferTaxBps: null },
    sellToken: { buyTaxBps: "0", sellTaxBps: "0", transferTaxBps: "0" },
  },
};

const QUOTE_ONLY = {
  guaranteedPrice: "0.51",
  to: GATEWAY,
  data: "0x1234",
  expiry: "1700000120",
  issues: { allowance: { actual: "0", spender: GATEWAY }, balance: null, simulationIncomplete: false },
  permit: null,
  calls: [{ to: GATEWAY, data: "0x1234", value: "0" }],
};

describe("REST", () => {
  test("a price is every field and no more", async () => {
    const { status, headers, body } = await door.get(`/swap/v1/price?${new URLSearchParams(REQUEST)}`);
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("application/json");
    expect(body).toEqual(PRICE);
  });

  test("says so where a token has no decimals, and shows an empty symbol where it has none", async () => {
    const query = new URLSearchParams({ ...REQUEST, buyToken: BARE.address });
    const { status, body } = await door.get(`/swap/v1/price?${query}`);
    expect(status).toBe(200);
    expect((body.route as { readonly tokens: unknown }).tokens).toEqual([
      { address: WETH.address, symbol: "WETH", decimals: 18 },
      { address: BARE.address, symbol: "", decimals: 0, wholeUnits: true },
    ]);
  });

  test("a quote is the price and the transaction", async () => {
    const { body } = await door.get(`/swap/v1/quote?${new URLSearchParams(REQUEST)}`);
    expect(body).toEqual({ ...PRICE, ...QUOTE_ONLY });
  });

  test("the integrator's fee", async () => {
    const query = new URLSearchParams({
      ...REQUEST,
      integratorPercentageFee: "0.001",
      integratorRecipientAddress: TAKER,
    });
    const { body } = await door.get(`/swap/v1/price?${query}`);
    const fee = { amount: "1", token: USDC.address, rate: "0.001", recipient: TAKER };
    expect(body.fees).toEqual({ integratorFee: fee, integratorFees: [fee], surplus: null });
  });

  test("several fees of the sold token", async () => {
    const query = new URLSearchParams({
      ...{ ...REQUEST, swapFeeToken: WETH.address },
      integratorPercentageFee: "0.001,0.02",
      integratorRecipientAddress: `${TAKER},${RECIPIENT}`,
    });
    const { body } = await door.get(`/swap/v1/price?${query}`);
    const fee = { amount: "1", token: WETH.address };
    expect(body.fees).toEqual({
      integratorFee: null,
      surplus: null,
      integratorFees: [
        { ...fee, rate: "0.001", recipient: TAKER },
        { ...fee, rate: "0.02", recipient: RECIPIENT },
      ],
    });
  });

  test("the sources, sorted", async () => {
    const { body } = await door.get("/swap/v1/sources");
    expect(body.records).toEqual(["SushiSwap", "Uniswap_V2", "Uniswap_V3"]);
    expect(body.sources[0]).toEqual({
      name: "SushiSwap",
      kind: "amm",
      pools: "0",
      sleepingPools: "0",
      leftOut: [],
      status: "syncing",
      blockNumber: "99",
      exactOut: true,
      assurance: "modelled",
    });
    expect(body.sources[2]).toMatchObject({ name: "Uniswap_V3", pools: "7", sleepingPools: "1200" });
    expect(body.sources[2].leftOut).toEqual([{ reason: "TOKEN_NOT_A_HOP", pools: "3" }]);
  });

  test("sources take no parameters", async () => {
    const { status, body } = await door.get("/swap/v1/sources?chainId=1");
    expect(status).toBe(400);
    expect(body.validationErrors).toMatchObject([{ field: "chainId", reason: "UNKNOWN_PARAMETER" }]);
  });

  test("HEAD is GET without the body", async () => {
    const url = `${door.origin}/swap/v1/price?${new URLSearchParams(REQUEST)}`;
    const response = await fetch(url, { method: "HEAD", headers: { "api-key": KEY } });
    expect(response.status).toBe(200);
    expect(Number(response.headers.get("content-length"))).toBe(JSON.stringify(PRICE).length);
    expect(await response.text()).toBe("");
  });
});

describe("Connect JSON", () => {
  test("a price has the same fields, without those that are null", async () => {
    const response = await fetch(`${door.origin}/swap.v1.SwapService/GetPrice`, {
      method: "POST",
      headers: { "api-key": KEY, "content-type": "application/json" },
      body: JSON.stringify(REQUEST),
    });
    const { estimatedPriceImpact: _, expectedSlippage: __, ...rest } = PRICE;
    expect(await response.json()).toEqual({
      ...rest,
      fees: { integratorFees: [] },
      optimality: { bound: "2000", achieved: "2000" },
      tokenMetadata: { ...PRICE.tokenMetadata, buyToken: {} },
    });
  });
});

test("no browser and no proxy may keep an answer, whatever it is and however it was asked for", async () => {
  const method = `${door.origin}/swap.v1.SwapService`;
  const query = new URLSearchParams(REQUEST).toString();
  const message = (text: string) => `connect=v1&encoding=json&message=${encodeURIComponent(text)}`;
  const headers = { "api-key": KEY, "content-type": "application/json" };
  const asked: readonly (readonly [string, number, RequestInit?])[] = [
    [`${door.origin}/swap/v1/price?${query}`, 200],
    [`${door.origin}/swap/v1/price`, 400],
    [`${method}/GetPrice?${message(JSON.stringify(REQUEST))}`, 200],
    [`${method}/GetQuote?${message(JSON.stringify(REQUEST))}`, 200],
    [`${method}/GetPrice?${message("{}")}`, 400],
    [`${method}/ListSources?${message("{}")}`, 200],
    [`${method}/GetPrice`, 200, { method: "POST", body: JSON.stringify(REQUEST) }],
    [`${method}/GetPrice`, 405, { method: "PUT" }],
    [`${door.origin}/status`, 200],
    [`${door.origin}/nowhere`, 404],
  ];
  for (const [url, status, init] of asked) {
    const answer = await fetch(url, { headers, ...init });
    await answer.arrayBuffer();
    expect([url, answer.status, answer.headers.get("cache-control")]).toEqual([url, status, "no-store"]);
  }
});
