import type { CommandOption } from "./command.ts";

// Everything that help shows stands here and in commands/index.ts: help loads nothing of the service.

type Options = Readonly<Record<string, CommandOption>>;

export const DEFAULT_URL = "http://127.0.0.1:8080";
export const DEFAULT_TIMEOUT_MS = 30_000;

/** Time that the old secret stays valid after a rotation. */
export const DEFAULT_OVERLAP = "1d";

/** Period of usage that is shown. */
export const DEFAULT_SPAN = "1d";

/** Node and port of the reference maker. */
export const DEFAULT_RPC_URL = "http://127.0.0.1:8545";
export const DEFAULT_MAKER_PORT = "8547";

/** Number of quotes that an audit makes, and of blocks that it follows. */
export const DEFAULT_AUDIT_COUNT = "200";
export const DEFAULT_AUDIT_BLOCKS = "10";

/** The ways in which an audit may run quotes on a node, in the order in which they are tried. */
export const AUDIT_METHODS = ["simulate", "call", "trace"] as const;

/** Default path of an audit's report. */
export const DEFAULT_AUDIT_REPORT = "tributary-audit.json";

/** The environment variable with the private key that pays for a deployment: an option would show it to everybody. */
export const KEY_VARIABLE = "DEPLOYER_PRIVATE_KEY";

/** Arguments of `price` and `quote`: the amount stands before the token that it counts. */
export const SWAP_TAKES = "<amount> <sell token> <buy token> | <sell token> <amount> <buy token>";

/** Scopes of a key, and the methods that each opens. */
export const SCOPES: Readonly<Record<string, string>> = {
  price: "GetPrice",
  quote: "GetQuote",
  sources: "ListSources",
  tokens: "ListTokens",
  chain: "GetChain",
  stream: "WatchPrice",
};

export const JSON_OPTION = { json: { about: "print JSON" } } as const satisfies Options;

/** Options of every command that reads the service's configuration. */
export const CONFIGURATION_OPTIONS = {
  config: { value: "file", about: "file of NAME=value lines; environment variables override it" },
} as const satisfies Options;

/** Options of every command that calls a running service. */
export const CONNECTION_OPTIONS = {
  url: { value: "url", about: `the service; TRIBUTARY_URL, else ${DEFAULT_URL}` },
  key: { value: "key", about: "API key; TRIBUTARY_API_KEY by default, which keeps it out of the shell's history" },
  timeout: { value: "ms", about: `milliseconds until the call is given up; ${DEFAULT_TIMEOUT_MS} by default` },
  json: { about: "print the answer as JSON" },
} as const satisfies Options;

/** Options of prices that do not depend on the taker. */
const PRICED_OPTIONS = {
  slippage: { value: "fraction", about: "greatest acceptable slippage, or auto; 0.01 (1 %) by default" },
  exclude: { value: "names", about: "sources not to use, comma-separated" },
  include: { value: "names", about: "the only sources to use, comma-separated" },
  "exclude-pools": { value: "pools", about: "pools not to use, by id or address, comma-separated" },
  "exclude-tokens": { value: "tokens", about: "tokens not to route through, comma-separated" },
  connectors: { value: "tokens", about: "the only tokens to route through, comma-separated" },
  "max-hops": { value: "number", about: "maximum number of pools on one path" },
  "max-fills": { value: "number", about: "maximum number of fills of the whole route" },
  fee: { value: "fraction", about: "integrator fee, or up to four, comma-separated; goes with --fee-recipient" },
  "fee-recipient": { value: "address", about: "who gets the integrator fee; as many as there are fees" },
  "fee-of": { value: "side", about: "sell or buy: the token that the fee is taken from; buy by default" },
  "gas-price": { value: "wei", about: "gas price to value network cost with" },
  "base-units": { about: "the amount is in base units" },
} as const satisfies Options;

/** Options of a price for several amounts: nobody is to send it. */
export const LADDER_OPTIONS = { ...PRICED_OPTIONS, ...CONNECTION_OPTIONS } as const satisfies Options;

export const SWAP_OPTIONS = {
  ...PRICED_OPTIONS,
  taker: { value: "address", about: "who sends the transaction: makes gas exact" },
  recipient: { value: "address", about: "who receives what is bought; who sends the transaction by default" },
  approval: { value: "mode", about: "approve (default), permit2, eip2612 or none" },
  "sell-entire-balance": { about: "sell the taker's whole balance, at most the amount" },
  "max-impact": {
    value: "fraction",
    about: "greatest acceptable price impact (0.01 is 1 %): a quote above it is refused, a price is not",
  },
  ...CONNECTION_OPTIONS,
} as const satisfies Options;

/** Option of prices at another block than the newest. */
export const BLOCK_OPTION = {
  block: { value: "number", about: "price at this block, one of the newest; the newest by default" },
} as const satisfies Options;

/** Option of a single price. */
export const OVERRIDES_OPTION = {
  overrides: {
    value: "file",
    about: "JSON array of future logs to apply before pricing, or an object with it as logs",
  },
} as const satisfies Options;

/** Arguments of `ladder`: those of `price`, with several amounts. */
export const LADDER_TAKES = "<amount,…> <sell token> <buy token> | <sell token> <amount,…> <buy token>";

/** The options that describe a new key. */
export const TERMS_OPTIONS = {
  account: { value: "name", about: "keys of one account share their limit; the label without it" },
  label: { value: "text", about: "a name that helps you to recognize the key" },
  expires: { value: "when", about: "30d, 12h or a date; never without it" },
  scopes: { value: "list", about: `of ${Object.keys(SCOPES).join(", ")}; all without it` },
  origins: { value: "list", about: "web origins that may use the key from a browser; all without it" },
  "fee-recipient": { value: "address", about: "integrator fees go there when a request names none" },
  "fee-rate": { value: "fraction", about: "rate of those fees, 0 to 0.1; 0.001 without it" },
  "surplus-recipient": { value: "address", about: "a share of surplus goes there; all is the taker's without it" },
  "surplus-share": { value: "fraction", about: "share of surplus, above 0 to 0.5; goes with --surplus-recipient" },
  rate: { value: "units", about: "units per second; RATE_LIMIT without it" },
  burst: { value: "units", about: "units at once; twice the rate without it" },
} as const satisfies Options;

/** The options that change a key. Its account stays: usage is counted for it. */
export const UPDATE_OPTIONS = {
  label: { value: "text", about: "a name that helps you to recognize the key" },
  expires: { value: "when", about: "30d, 12h, a date, or never" },
  scopes: { value: "list", about: `of ${Object.keys(SCOPES).join(", ")}; or all` },
  origins: { value: "list", about: "web origins that may use the key from a browser; or all" },
  "fee-recipient": { value: "address", about: "integrator fees go there when a request names none; or none" },
  "fee-rate": { value: "fraction", about: "rate of those fees, 0 to 0.1" },
  "surplus-recipient": { value: "address", about: "a share of surplus goes there; or none" },
  "surplus-share": { value: "fraction", about: "share of surplus, above 0 to 0.5" },
  rate: { value: "units", about: "units per second; or default, which is RATE_LIMIT" },
  burst: { value: "units", about: "units at once; twice the rate where only that is given" },
} as const satisfies Options;

/** Options of `audit`. */
export const AUDIT_OPTIONS = {
  ...CONFIGURATION_OPTIONS,
  pairs: { value: "list", about: "of pairs like WETH/USDC, by address or symbol of TOKEN_LIST; random without it" },
  include: { value: "names", about: "sources to quote over, comma-separated; all without it" },
  count: { value: "number", about: `how many quotes; ${DEFAULT_AUDIT_COUNT} without it` },
  seed: { value: "number", about: "seed of an earlier audit, to repeat its random trades" },
  settled: { about: "compare swaps that others made in the next blocks with what we would have paid" },
  source: { value: "name", about: "follow this source's pools, and compare them with the chain block by block" },
  blocks: { value: "number", about: `how many, with --settled or --source; ${DEFAULT_AUDIT_BLOCKS} without it` },
  method: { value: "name", about: `${AUDIT_METHODS.join(", ")}; the first that the node has without it` },
  report: {
    value: "file",
    about: `where to write the findings, without secrets; ${DEFAULT_AUDIT_REPORT} if there is a miss`,
  },
  json: { about: "print the findings as JSON" },
} as const;
