import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseGuard } from "../../../../src/quoting/guard/guard-file.ts";

const TOKEN = `0x${"a".repeat(40)}`;
const OTHER = `0x${"b".repeat(40)}`;
const FEED = { source: "coinbase", token: TOKEN, symbol: "eth-usd" };
const parse = (more: object) => parseGuard(JSON.stringify({ maxDeviationBps: 200, feeds: [FEED], ...more }));

test("a short file has the defaults, and asks the public addresses of the exchanges", () => {
  expect(parse({ feeds: [FEED, { source: "binance", token: OTHER, symbol: "ETHUSDT", maxAgeSeconds: 5 }] })).toEqual({
    ...{ maxDeviationBps: 200, refusesWhenMissing: false, pollEveryMs: 5_000, allowPrivateNetwork: false },
    feeds: [
      {
        ...{ token: TOKEN, maxAgeSeconds: 60 },
        from: { kind: "coinbase", symbol: "eth-usd", url: new URL("https://api.coinbase.com/v2/prices/ETH-USD/spot") },
      },
      {
        ...{ token: OTHER, maxAgeSeconds: 5 },
        from: {
          ...{ kind: "binance", symbol: "ETHUSDT" },
          url: new URL("https://api.binance.com/api/v3/ticker/price?symbol=ETHUSDT"),
        },
      },
    ],
  });
});

test("the example of docs/price-guard.md can be used", () => {
  const page = readFileSync(new URL("../../../../docs/price-guard.md", import.meta.url), "utf8");
  const [, example = ""] = page.match(/<!-- example: price-guard -->\n```json\n([\s\S]*?)```/) ?? [];
  const { feeds, maxDeviationBps } = parseGuard(example);
  expect(maxDeviationBps).toBe(300);
  expect(feeds.map(({ from }) => from.kind)).toEqual(["chainlink", "coinbase", "binance"]);
});

test("an address of another exchange of the same form keeps its path", () => {
  const { feeds } = parse({ urls: { coinbase: "https://prices.example/mirror" } });
  expect(feeds[0]?.from).toMatchObject({ url: new URL("https://prices.example/mirror/v2/prices/ETH-USD/spot") });
});

test.each([
  [{ maxDeviationBps: 0 }, /maxDeviationBps/],
  [{ maxDeviationBps: 10_000 }, /maxDeviationBps/],
  [{ maxDeviationBps: 1.5 }, /maxDeviationBps/],
  [{ whenMissing: "ask" }, /whenMissing/],
  [{ pollEveryMs: 999 }, /pollEveryMs/],
  [{ feeds: [] }, /feeds/],
  [{ feeds: Array.from({ length: 65 }, () => FEED) }, /feeds/],
  [{ feeds: [FEED, { ...FEED, token: TOKEN.toUpperCase().replace("X", "x") }] }, /two feeds are for the same token/],
  [{ feeds: [{ ...FEED, token: "ETH" }] }, /feeds.0.token must be an address/],
  [{ feeds: [{ ...FEED, symbol: "ETH/USD" }] }, /feeds.0.symbol/],
  [{ feeds: [{ ...FEED, symbol: "../../admin" }] }, /feeds.0.symbol/],
  [{ feeds: [{ ...FEED, source: "kraken" }] }, /feeds.0/],
  [{ feeds: [{ source: "chainlink", token: TOKEN }] }, /feeds.0.aggregator/],
  [{ feeds: [{ ...FEED, aggregator: OTHER }] }, /aggregator/],
  [{ feeds: [{ ...FEED, maxAgeSeconds: 0 }] }, /feeds.0.maxAgeSeconds/],
  [{ urls: { coinbase: "ftp://prices.example" } }, /urls.coinbase must be a URL/],
  [{ urls: { coinbase: "http://prices.example" } }, /allowPrivateNetwork must be true/],
  [{ maxDeviation: 5 }, /maxDeviation/],
])("%j is refused", (more, says) => {
  expect(() => parse(more)).toThrow(says);
});

test("a text that is no JSON is refused without repeating it", () => {
  expect(() => parseGuard("secret")).toThrow(/^it is not JSON$/);
});
