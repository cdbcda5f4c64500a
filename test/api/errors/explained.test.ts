import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FAKE_SOURCES, USDC } from "../../../fixtures/door/fake-quoting.ts";
import { NATIVE_TOKEN } from "../../../src/domain/address.ts";
import { type Door, KEY, openDoor, rawExchange } from "../../support/door/http.ts";
import { PRICE, REQUEST, RPC } from "../../support/door/price-call.ts";

const JSON_TYPE = { "content-type": "application/json" };
const FEE = { integratorPercentageFee: "0.001", integratorRecipientAddress: USDC.address };

let door: Door;
beforeAll(async () => {
  door = await openDoor();
});
afterAll(() => door.server.drain(1_000));

/** Text of a refusal, over REST or Connect. */
async function told(path: string, headers: Record<string, string> = {}, body?: string): Promise<string> {
  const init = body === undefined ? {} : { method: "POST", body };
  const response = await fetch(door.origin + path, { headers: { "api-key": KEY, ...headers }, ...init });
  const answer = (await response.json()) as { readonly description?: string; readonly message?: string };
  expect(response.ok).toBe(false);
  return answer.description ?? answer.message ?? "";
}

const price = (more: Record<string, string>) => told(`/swap/v1/price?${new URLSearchParams({ ...REQUEST, ...more })}`);

const CASES: readonly (readonly [what: string, ask: () => Promise<string>, says: string])[] = [
  ["a slash too many", () => told(PRICE.replace("?", "//?")), "calls are at /swap/v1/price"],
  ["a method that is none", () => told(`${RPC}s`, JSON_TYPE, "{}"), "the methods of /swap.v1.SwapService"],
  ["a wrong key", () => told(PRICE, { "api-key": "wrong" }), "check that it is whole, or ask for a new one"],
  ["a content type of forms", () => told(RPC, { "content-type": "text/plain" }, "{}"), "send application/json"],
  [
    "a content type of single messages, for a stream",
    () => told("/swap.v1.SwapService/WatchPrice", JSON_TYPE, "{}"),
    "send application/connect+json",
  ],
  ["a body that is no object", () => told(RPC, JSON_TYPE, "[]"), "send a JSON object whose fields are the parameters"],
  ["a body too large", () => told(RPC, JSON_TYPE, " ".repeat(70_000)), "send the parameters only"],
  [
    "a timeout in words",
    () => told(RPC, { ...JSON_TYPE, "connect-timeout-ms": "soon" }, JSON.stringify(REQUEST)),
    "send 2500 for 2.5 seconds",
  ],
  ["no time at all", () => told(RPC, { ...JSON_TYPE, "connect-timeout-ms": "0" }, "{}"), "give it more time"],
  ["a parameter where there are none", () => told("/swap/v1/sources?chainId=1"), "There are none here."],
  [
    "no source left",
    () => price({ excludedSources: FAKE_SOURCES.map(({ name }) => name).join() }),
    "Leave at least one",
  ],
  ["a token that is none", () => price({ sellToken: `0x${"12".repeat(20)}` }), "Check the address and the chain."],
  ["a taker that is no account", () => price({ takerAddress: NATIVE_TOKEN }), "Send an account."],
  ["a fee that would be lost", () => price(FEE), "Name an account instead."],
  ["too many decimals", () => price({ slippagePercentage: `0.${"1".repeat(19)}` }), "at most 18 digits"],
  ["headers too large", () => told(`${PRICE}&takerAddress=${"a".repeat(20_000)}`), "send the parameters only"],
  [
    "what is no HTTP",
    async () => JSON.parse((await rawExchange(door.port, "HELO\r\n\r\n")).split("\r\n\r\n")[1] ?? "").description,
    "send HTTP/1.1",
  ],
];

test.each(CASES)("%s is told with what to do about it", async (_, ask, says) => {
  expect(await ask()).toContain(says);
});

test("what is no HTTP is told on a connection that has served before, too", async () => {
  const socket = connect(door.port, "127.0.0.1");
  let answers = "";
  socket.on("data", (chunk) => {
    if (answers === "") socket.write("HELO\r\n\r\n");
    answers += chunk;
  });
  socket.write("GET /livez HTTP/1.1\r\nHost: x\r\n\r\n");
  await once(socket, "close");
  expect(answers).toMatch(/^HTTP\/1\.1 200 [\s\S]*HTTP\/1\.1 400 [\s\S]*"MALFORMED_REQUEST"/);
});

test("what is no HTTP is not told in the place of the answer to the request before it", async () => {
  const answer = await rawExchange(
    door.port,
    `GET ${PRICE} HTTP/1.1\r\nHost: x\r\napi-key: ${KEY}\r\n\r\nHELO\r\n\r\n`,
  );
  expect(answer).not.toContain("MALFORMED_REQUEST");
});
