import { readFileSync } from "node:fs";
import { z } from "zod";
import { isAddressText, toAddress } from "../../domain/address.ts";
import type { FeedRecord } from "./reference.ts";

/** Operator's configuration of the comparison between quotes and reference prices. */
export interface GuardRecord {
  /** Furthest that a quote may be off the reference, either way, in basis points. */
  readonly maxDeviationBps: number;
  /** Whether a quote is refused while a reference that is configured is stale or missing. */
  readonly refusesWhenMissing: boolean;
  /** Milliseconds between two questions to one HTTP feed. */
  readonly pollEveryMs: number;
  /** Whether HTTP feeds may stand on this machine or in private networks, and be without TLS. */
  readonly allowPrivateNetwork: boolean;
  readonly feeds: readonly FeedRecord[];
}

/** Feeds of one file: each is asked by itself. */
const MAX_FEEDS = 64;
const DAY_SECONDS = 86_400;
/** Base URLs of these exchanges' public prices. */
const BASE_URLS = { coinbase: "https://api.coinbase.com", binance: "https://api.binance.com" } as const;

const address = z
  .string()
  .refine(isAddressText, { error: "must be an address" })
  .transform((text) => toAddress(text));
const symbol = z.string().regex(/^[A-Za-z0-9-]{1,32}$/, { error: "must be letters, digits and -, 32 at most" });
const maxAgeSeconds = z
  .int()
  .min(1)
  .max(7 * DAY_SECONDS);
const base = z
  .string()
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), {
    error: "must be a URL that begins with https:// or http://",
  })
  .transform((text) => new URL(text));

const FEED = z.discriminatedUnion("source", [
  z.strictObject({ source: z.literal("coinbase"), token: address, symbol, maxAgeSeconds: maxAgeSeconds.default(60) }),
  z.strictObject({ source: z.literal("binance"), token: address, symbol, maxAgeSeconds: maxAgeSeconds.default(60) }),
  z.strictObject({
    source: z.literal("chainlink"),
    token: address,
    aggregator: address,
    maxAgeSeconds: maxAgeSeconds.default(DAY_SECONDS),
  }),
]);

const FILE = z
  .strictObject({
    maxDeviationBps: z.int().min(1).max(9_999),
    whenMissing: z.enum(["pass", "refuse"]).default("pass"),
    pollEveryMs: z.int().min(1_000).max(600_000).default(5_000),
    allowPrivateNetwork: z.boolean().default(false),
    urls: z
      .strictObject({
        coinbase: base.default(new URL(BASE_URLS.coinbase)),
        binance: base.default(new URL(BASE_URLS.binance)),
      })
      .prefault({}),
    feeds: z.array(FEED).min(1).max(MAX_FEEDS),
  })
  .refine(
    ({ allowPrivateNetwork, urls }) =>
      allowPrivateNetwork || Object.values(urls).every(({ protocol }) => protocol === "https:"),
    { path: ["allowPrivateNetwork"], error: "must be true for URLs without TLS (http)" },
  );

/** @throws Error with a line for every mistake */
export function readGuardFile(path: string): GuardRecord {
  return parseGuard(readFileSync(path, "utf8"));
}

/** Parses the text of a guard file. */
export function parseGuard(text: string): GuardRecord {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new Error("it is not JSON");
  }
  const result = FILE.safeParse(json);
  if (!result.success) {
    throw new Error(result.error.issues.map(({ path, message }) => `${path.join(".")} ${message}`).join("\n"));
  }
  const { feeds, urls, whenMissing, ...rest } = result.data;
  const tokens = new Set(feeds.map(({ token }) => token));
  if (tokens.size !== feeds.length) throw new Error("feeds: two feeds are for the same token: leave one of them out");
  return {
    ...rest,
    refusesWhenMissing: whenMissing === "refuse",
    feeds: feeds.map((feed) => recordOf(feed, urls)),
  };
}

function recordOf(feed: z.infer<typeof FEED>, urls: Readonly<Record<keyof typeof BASE_URLS, URL>>): FeedRecord {
  const { token, maxAgeSeconds: mostAge } = feed;
  const record = { token, maxAgeSeconds: mostAge };
  switch (feed.source) {
    case "chainlink":
      return { ...record, from: { kind: feed.source, aggregator: feed.aggregator } };
    case "coinbase":
      return {
        ...record,
        from: { kind: feed.source, symbol: feed.symbol, url: coinbaseUrl(feed.symbol, urls.coinbase) },
      };
    case "binance":
      return {
        ...record,
        from: { kind: feed.source, symbol: feed.symbol, url: binanceUrl(feed.symbol, urls.binance) },
      };
  }
}

/** `GET /v2/prices/ETH-USD/spot` answers `{"data": {"amount": "3000.12", "base": "ETH", "currency": "USD"}}`. */
function coinbaseUrl(name: string, from: URL): URL {
  return below(from, `v2/prices/${name.toUpperCase()}/spot`);
}

/** `GET /api/v3/ticker/price?symbol=ETHUSDT` answers `{"symbol": "ETHUSDT", "price": "3000.10000000"}`. */
function binanceUrl(name: string, from: URL): URL {
  return below(from, `api/v3/ticker/price?symbol=${name.toUpperCase()}`);
}

/** An address below another one, whose own path stays. */
function below(from: URL, path: string): URL {
  return new URL(path, from.href.endsWith("/") ? from : `${from.href}/`);
}
