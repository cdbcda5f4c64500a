/** Frequent complaints about swap APIs, our answer to each, and the test that holds it. */
export const COMPLAINTS: readonly {
  readonly complaint: string;
  readonly here: string;
  readonly file: string;
  /** Title of a test in that file. */
  readonly test: string;
}[] = [
  {
    complaint: "A validated quote needs an approval first",
    here: "The simulation approves before it swaps; `issues` reports what is missing.",
    file: "test/quoting/quoting.test.ts",
    test: "adds the transaction, its limits, and what the taker lacks",
  },
  {
    complaint: "A price fails for the taker's balance",
    here: "A price never fails for reasons of the taker: gas then comes from the model.",
    file: "test/quoting/quoting.test.ts",
    test: "runs on the node for its gas when there is a taker, and never fails for the taker's reasons",
  },
  {
    complaint: "Errors are undocumented",
    here: "Every refusal has a constant, a sentence, a request id and a link that leads somewhere.",
    file: "test/api/errors/errors.test.ts",
    test: "every docs link leads to a section",
  },
  {
    complaint: "No liquidity looks like an outage",
    here: "No route is 400 with every source's reason; 503 is an outage, and only that.",
    file: "test/api/errors/complaints.test.ts",
    test: "no route is not an outage",
  },
  {
    complaint: "A high price impact is reported as no route",
    here: "The route is answered with its impact; only a limit of the caller's own refuses it, with the numbers.",
    file: "test/quoting/quoting.test.ts",
    test: "holds the caller's limit on price impact",
  },
  {
    complaint: "Quotes are stale and revert",
    here: "Answers name their block, are refused when the state is not fresh, and quotes are run on the node before.",
    file: "test/quoting/quoting.test.ts",
    test: "is refused while the state is stale",
  },
  {
    complaint: "The gas limit is too low",
    here: "`gas` is proven by running the transaction with nine tenths of that limit.",
    file: "test/quoting/quoting.test.ts",
    test: "adds the transaction, its limits, and what the taker lacks",
  },
  {
    complaint: "Rate limits come as a surprise",
    here: "Limits stand in every answer, and a 429 says when to come back.",
    file: "test/api/accounts.test.ts",
    test: "stands in every answer, whatever it is",
  },
  {
    complaint: "The exact minimum cannot be had from a rounded price",
    here: "`minBuyAmount` and `maxSellAmount` are what the transaction holds, in base units.",
    file: "test/quoting/cost/amounts.test.ts",
    test: "rounds against nobody but never below 1",
  },
  {
    complaint: "Slippage is in unclear units, and 0 is taken for unset",
    here: "A fraction; 3 is refused with the hint that 1 % is 0.01; 0 is 0.",
    file: "test/api/errors/complaints.test.ts",
    test: "slippage is a fraction, and 0 is not unset",
  },
  {
    complaint: "Decimals are a guess",
    here: "Base units everywhere; for a decimal point the answer states the base units.",
    file: "test/api/parameters/tables/swap.ts",
    test: "a decimal point, answered in base units",
  },
  {
    complaint: "Odd tokens give opaque reverts",
    here: "Tokens that take a fee, rebase or refuse are found before, and named with what was found; else code 105.",
    file: "test/chain/tokens/token-door.test.ts",
    test: "refuses %s by name, with what was found",
  },
  {
    complaint: "Symbols and extreme amounts give wrong errors or a 500",
    here: "Each bad parameter is named for what it is; no amount is a 500.",
    file: "test/api/errors/complaints.test.ts",
    test: "symbols and extreme amounts are told for what they are",
  },
  {
    complaint: "Browsers cannot call",
    here: "CORS by configuration, preflights before the key, one preflight for all Connect POSTs.",
    file: "test/api/operations.test.ts",
    test: "a preflight is answered before the key check",
  },
  {
    complaint: "No streaming, no exact-out, and the minimum means something else everywhere",
    here: "`WatchPrice`, `buyAmount` on every call, and the formulas above.",
    file: "test/api/parameters/tables/swap.ts",
    test: "exact-out",
  },
];
