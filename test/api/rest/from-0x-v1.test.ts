import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TAKER } from "../../../fixtures/door/fake-quoting.ts";
import { callGrpcJs } from "../../support/door/grpc-js.ts";
import { h2Request } from "../../support/door/h2-request.ts";
import { type Door, KEY, openDoor } from "../../support/door/http.ts";
import { PRICE, REQUEST } from "../../support/door/price-call.ts";

let door: Door;
beforeAll(async () => {
  door = await openDoor();
});
afterAll(() => door.server.drain(1_000));

const asked = () => door.quoting.asked.at(-1)?.request;
const withFee = (rate: string) =>
  `${PRICE}&integratorRecipientAddress=${TAKER}&integratorPercentageFee=${rate}` as const;

describe("what clients of the 0x Swap API v1 send", () => {
  test.each(["price", "quote", "sources"])("a slash at the end of %s", async (call) => {
    const query = call === "sources" ? "" : `?${new URLSearchParams(REQUEST)}`;
    const [bare, slashed] = [await door.get(`/swap/v1/${call}${query}`), await door.get(`/swap/v1/${call}/${query}`)];
    expect(slashed.status).toBe(200);
    expect(slashed.body).toEqual(bare.body);
  });

  test("one slash, and only after a path that is there", async () => {
    for (const path of ["/swap/v1/price//", "/swap/v1/", "/swap/v1/nope/"])
      expect((await door.get(path)).status).toBe(404);
    const send = (path: string, method: string) =>
      fetch(`${door.origin}${path}`, { method, headers: { "api-key": KEY } });
    const posted = await send("/swap/v1/quote/", "POST");
    expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    const put = await send("/swap/v1/price/", "PUT");
    expect([put.status, put.headers.get("allow")]).toEqual([405, "GET, HEAD, POST"]);
  });

  test.each([PRICE, PRICE.replace("price", "quote"), "/swap/v1/sources", "/swap/v1/price/", "/swap/v1/price"])(
    "HEAD %s has the status and the headers of GET, and no body",
    async (path) => {
      const got = await h2Request(door.port, { ":path": path, "api-key": KEY });
      const head = await h2Request(door.port, { ":method": "HEAD", ":path": path, "api-key": KEY });
      const { date: _, "x-request-id": __, "content-length": length, ...expected } = got.headers;
      expect(head.headers).toMatchObject(expected);
      // A refusal holds the id of its own request, which is as long as any other.
      expect([head.body, head.headers["content-length"]]).toEqual(["", length]);
      expect(head.rstCode).toBe(0);
    },
  );

  test.each([
    ["slippagePercentage", "0.010", 10n ** 16n],
    ["slippagePercentage", "0.0100000000000000000000", 10n ** 16n],
    ["slippagePercentage", "1.000", 10n ** 18n],
    ["slippagePercentage", `0.${"0".repeat(40)}`, 0n],
  ])("%s=%s: zeros at the end do not count", async (name, text, slippage) => {
    expect((await door.get(`${PRICE}&${name}=${text}`)).status).toBe(200);
    expect(asked()?.slippage).toBe(slippage);
  });

  test("nor do they in a fee, whose digits are six at most", async () => {
    expect((await door.get(withFee("0.00150000"))).status).toBe(200);
    expect(asked()?.fee?.ratePpm).toBe(1_500n);
    const { body } = await door.get(withFee("0.00150001"));
    expect(body.validationErrors).toMatchObject([{ field: "integratorPercentageFee", reason: "TOO_MANY_DECIMALS" }]);
  });

  test.each(["MultiHop", "multihop", "%20MultiHop%20"])("excludedSources=%s: no tokens in between", async (text) => {
    expect((await door.get(`${PRICE}&excludedSources=${text}`)).status).toBe(200);
    expect(asked()).toMatchObject({ isDirect: true, sources: { kind: "all" } });
    await door.get(`${PRICE}&excludedSources=${text},SushiSwap`);
    expect(asked()).toMatchObject({ isDirect: true, sources: { kind: "without", ids: ["SushiSwap"] } });
  });

  test("the same over gRPC", async () => {
    await callGrpcJs(door.port, "getPrice", { ...REQUEST, excludedSources: ["MultiHop"] });
    expect(asked()?.isDirect).toBe(true);
    await callGrpcJs(door.port, "getPrice", REQUEST);
    expect(asked()?.isDirect).toBeUndefined();
  });

  test("includedSources with MultiHop: it adds nothing to the sources, and is none alone", async () => {
    expect((await door.get(`${PRICE}&includedSources=Uniswap_V3,MultiHop`)).status).toBe(200);
    expect(asked()?.sources).toEqual({ kind: "only", ids: ["Uniswap_V3"] });
    expect(asked()?.isDirect).toBeUndefined();
    const { status, body } = await door.get(`${PRICE}&includedSources=MultiHop`);
    expect([status, body.validationErrors]).toMatchObject([
      400,
      [{ field: "includedSources", reason: "NO_SOURCE_LEFT", description: expect.stringContaining("MultiHop alone") }],
    ]);
  });
});
