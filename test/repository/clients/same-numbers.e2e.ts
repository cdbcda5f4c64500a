import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { devnetLayout } from "../../../src/devnet/markets/devnet-layout.ts";
import { devnetAccounts } from "../../../src/devnet/node/accounts.ts";
import { NATIVE_TOKEN } from "../../../src/domain/address.ts";
import { freePort } from "../../support/process/program.ts";
import { type ServedDevnet, startServedDevnet } from "../../support/worlds/served-devnet.ts";
import { type Answer, browser, browserPath, bufCurl, curl, grpcJs, type OutsideClient } from "./clients.ts";

const KEY = "key-for-all-clients";
const layout = devnetLayout(devnetAccounts().whale);
const REQUEST = {
  sellToken: NATIVE_TOKEN,
  buyToken: layout.token("USDR").address,
  sellAmount: "123456789000000000000",
  integratorPercentageFee: "0.001",
  integratorRecipientAddress: "0x00000000000000000000000000000000000f0e0e",
};
/** Fields that every protocol has to show alike. */
const FIELDS = [
  ...["chainId", "price", "estimatedPriceImpact", "value", "buyAmount", "sellAmount", "grossBuyAmount", "minBuyAmount"],
  ...["maxSellAmount", "allowanceTarget", "sellTokenToEthRate", "buyTokenToEthRate", "gas", "estimatedGas"],
  ...["totalNetworkFee", "route", "fees"],
];
const QUOTE_FIELDS = [...FIELDS, "guaranteedPrice", "to", "data", "expiry"];
/** Blocks come every two seconds: as many tries until all clients have met the same one. */
const TRIES = 20;

let served: ServedDevnet;
const clients = new Map<string, OutsideClient>();

beforeAll(async () => {
  const page = await freePort();
  served = await startServedDevnet({ TRIBUTARY_API_KEY: KEY, CORS_ORIGINS: `http://127.0.0.1:${page}` });
  const { port } = served;
  clients.set("curl", curl(port, KEY));
  clients.set("buf curl", bufCurl(port, KEY));
  clients.set("grpc-js", grpcJs(port, KEY));
  if (browserPath !== undefined) clients.set("connect-web in a browser", await browser(port, KEY, { port: page }));
});
afterAll(async () => {
  for (const client of clients.values()) await client.close();
  await served?.stop();
});

describe("clients that are not ours", () => {
  it.skipIf(browserPath === undefined)("include a browser (needs Debian's chromium)", () => {
    expect([...clients.keys()]).toContain("connect-web in a browser");
  });

  it("get the same price for the same request at the same block", { timeout: 120_000 }, async () => {
    const answers = await sameBlock((client) => client.price(REQUEST));
    expectSame(answers, FIELDS);
    for (const answer of answers.values()) expect(answer).not.toHaveProperty("data");
  });

  it("get the same quote for the same request at the same block", { timeout: 120_000 }, async () => {
    const answers = await sameBlock((client) => client.quote(REQUEST));
    expectSame(answers, QUOTE_FIELDS);
    expect(answers.get("curl")?.data).toMatch(/^0x[0-9a-f]{64,}$/);
  });
});

/** All clients' answers from one block. */
async function sameBlock(call: (client: OutsideClient) => Promise<Answer>): Promise<Map<string, Answer>> {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const answers = await Promise.all([...clients].map(async ([name, client]) => [name, await call(client)] as const));
    if (new Set(answers.map(([, answer]) => answer.blockHash)).size === 1) return new Map(answers);
  }
  throw new Error(`the clients did not meet the same block in ${TRIES} tries`);
}

function expectSame(answers: ReadonlyMap<string, Answer>, fields: readonly string[]): void {
  const view = (answer: Answer) => Object.fromEntries(fields.map((field) => [field, strip(answer[field])]));
  const [first, ...rest] = [...answers.values()].map(view);
  for (const field of fields) expect(first?.[field], field).toBeDefined();
  for (const other of rest) expect(other).toEqual(first);
}

/** gRPC clients add what says which part of a oneof is set, and nulls for what is absent; these are no numbers of ours. */
function strip(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strip);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, inner]) => !name.startsWith("_") && inner !== null)
      .map(([name, inner]) => [name, strip(inner)]),
  );
}
