import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { askPeer } from "../../../../src/makers/guarded-request.ts";
import { parseGuard } from "../../../../src/quoting/guard/guard-file.ts";
import { HttpFeed } from "../../../../src/quoting/guard/http-feed.ts";

/** Exchanges as their public documentation shows them, good and bad. */
const TOKEN = `0x${"a".repeat(40)}`;
const ended: (() => void)[] = [];
afterEach(() => {
  for (const end of ended.splice(0)) end();
});

async function stub(answer: RequestListener): Promise<string> {
  const server: Server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ended.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const json = (body: unknown, status = 200): RequestListener => {
  return (_, response) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  };
};

function feedAt(url: string, source: "coinbase" | "binance", more: { allowPrivateNetwork?: boolean } = {}) {
  const symbol = source === "coinbase" ? "ETH-USD" : "ETHUSDT";
  const file = { maxDeviationBps: 100, allowPrivateNetwork: true, urls: { [source]: url } };
  const [record] = parseGuard(JSON.stringify({ ...file, feeds: [{ source, token: TOKEN, symbol }] })).feeds;
  if (record === undefined || record.from.kind === "chainlink") throw new Error("the file has no such feed");
  const peer = { headers: {}, allowPrivateNetwork: more.allowPrivateNetwork ?? true };
  let elapsed = 0;
  const feed = new HttpFeed(record, record.from, {
    ...{ everyMs: 20, elapsed: () => elapsed },
    ask: (address, signal) => askPeer(address, peer, signal),
  });
  ended.push(() => feed.stop());
  const pass = (ms: number) => {
    elapsed += ms;
  };
  return { feed, pass };
}

describe("an exchange's answer", () => {
  const coinbase = (amount: unknown, base = "ETH", currency = "USD") => ({ data: { amount, base, currency } });

  test("of Coinbase's form", async () => {
    const paths: (string | undefined)[] = [];
    const url = await stub((request, response) => {
      paths.push(request.url);
      json(coinbase("3000.12"))(request, response);
    });
    const { feed } = feedAt(url, "coinbase");
    expect((await feed.at())?.price).toEqual({ num: 300_012n, den: 100n });
    expect(paths[0]).toBe("/v2/prices/ETH-USD/spot");
    expect(feed.trouble()).toBeUndefined();
  });

  test("of Binance's form", async () => {
    const paths: (string | undefined)[] = [];
    const url = await stub((request, response) => {
      paths.push(request.url);
      json({ symbol: "ETHUSDT", price: "3000.10000000" })(request, response);
    });
    const { feed } = feedAt(url, "binance");
    expect((await feed.at())?.price).toEqual({ num: 300_010_000_000n, den: 100_000_000n });
    expect(paths[0]).toBe("/api/v3/ticker/price?symbol=ETHUSDT");
  });

  test.each([
    ["another pair", json(coinbase("3000", "BTC"))],
    ["another currency", json(coinbase("3000", "ETH", "EUR"))],
    ["a number instead of a text", json(coinbase(3_000))],
    ["zero", json(coinbase("0.000"))],
    ["a negative price", json(coinbase("-3000"))],
    ["an exponent", json(coinbase("3e3"))],
    ["no number", json(coinbase("NaN"))],
    ["an endless number", json(coinbase("9".repeat(4_000)))],
    ["nothing", json(null)],
    ["a list", json([])],
    ["a refusal", json(coinbase("3000"), 429)],
    ["a page", (_: unknown, response: Parameters<RequestListener>[1]) => void response.end("<html>")],
    [
      "a redirect",
      (_: unknown, response: Parameters<RequestListener>[1]) =>
        void response.writeHead(302, { location: "http://127.0.0.1:1" }).end(),
    ],
    ["far too much", json({ data: "x".repeat(400_000) })],
  ] as const)("that is %s is none", async (_, answer) => {
    const url = await stub(answer as RequestListener);
    const { feed } = feedAt(url, "coinbase");
    expect(await feed.at()).toBeUndefined();
    expect(feed.trouble()).toBeDefined();
    expect(feed.trouble()).not.toContain("127.0.0.1");
  });
});

test("a price stays while the exchange fails, and grows old", async () => {
  let isUp = true;
  const up = json({ symbol: "ETHUSDT", price: "10" });
  const url = await stub((request, response) => (isUp ? up : json({}, 500))(request, response));
  const { feed, pass } = feedAt(url, "binance");
  await feed.at();
  isUp = false;
  await expect.poll(() => feed.trouble()).toMatch(/HTTP 500/);
  pass(90_000);
  expect(feed.last()).toEqual({ price: { num: 10n, den: 1n }, ageSeconds: 90 });
  isUp = true;
  await expect.poll(() => feed.last()?.ageSeconds).toBe(0);
});

test("however many ask, the exchange is asked once at a time", async () => {
  let open = 0;
  let most = 0;
  let count = 0;
  const url = await stub((request, response) => {
    open += 1;
    count += 1;
    most = Math.max(most, open);
    setTimeout(() => {
      open -= 1;
      json({ symbol: "ETHUSDT", price: "10" })(request, response);
    }, 30);
  });
  const { feed } = feedAt(url, "binance");
  await Promise.all(Array.from({ length: 200 }, () => feed.at()));
  expect([most, count]).toEqual([1, 1]);
  feed.stop();
});

test("this machine is not asked unless the operator says so", async () => {
  let asked = 0;
  const url = await stub((request, response) => {
    asked += 1;
    json({ symbol: "ETHUSDT", price: "10" })(request, response);
  });
  for (const address of [url, url.replace("127.0.0.1", "localhost")]) {
    const { feed } = feedAt(address, "binance", { allowPrivateNetwork: false });
    expect(await feed.at()).toBeUndefined();
    expect(feed.trouble()).toMatch(/not on the public internet/);
  }
  expect(asked).toBe(0);
});
