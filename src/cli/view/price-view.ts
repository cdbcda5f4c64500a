import { toDecimal } from "../../client/decimal.ts";
import type { Price, Quote } from "../../client/index.ts";
import { columns } from "./table.ts";

/** A price in one line, for following it. */
export function priceLine(price: Price): string {
  const { amount } = namesOf(price);
  const { blockNumber, sellAmount, sellTokenAddress: sell, buyAmount, buyTokenAddress: buy } = price;
  return `${blockNumber}  ${amount(sellAmount, sell)} → ${amount(buyAmount, buy)}  ${price.price}`;
}

/** A price or quote as people read it. */
export function priceView(answer: Price | Quote): string {
  const { name, amount } = namesOf(answer);
  const { sellTokenAddress: sell, buyTokenAddress: buy } = answer;
  const impact = answer.estimatedPriceImpact;
  const { integratorFee: fee, surplus } = answer.fees ?? {};
  const rows: (readonly [string, string])[] = [
    [
      "sell",
      amount(answer.sellAmount, sell) + atMost(answer.sellAmount, answer.maxSellAmount, (it) => amount(it, sell)),
    ],
    ["buy", amount(answer.buyAmount, buy) + atLeast(answer.buyAmount, answer.minBuyAmount, (it) => amount(it, buy))],
    ["price", `${answer.price} ${name(sell)} per ${name(buy)}`],
    ["impact", impact === undefined ? "unknown" : `${impact} %`],
    ["slippage", slippageOf(answer)],
    ...taxRows(answer, name),
    [
      "gas",
      `${answer.estimatedGas} (limit ${answer.gas}), ${toDecimal(BigInt(answer.totalNetworkFee), 18)} of the native token`,
    ],
    ...(fee === undefined ? [] : [["fee", `${amount(fee.amount, fee.token)} to ${fee.recipient}`] as const]),
    ...(surplus === undefined
      ? []
      : [["surplus", `${percent(surplus.share)} of it to ${surplus.recipient}, the rest yours`] as const]),
    ["gap", gapOf(answer)],
    ["block", `${answer.blockNumber} ${answer.blockHash}`],
    ...overridesRow(answer),
  ];
  const fills = answer.route?.fills ?? [];
  const head = ["share", "", "", "source", "pool", "", ""];
  const route = fills.map((fill) => [
    percent(fill.proportion),
    name(fill.from),
    `→ ${name(fill.to)}`,
    fill.source,
    fill.pool,
    amount(fill.sellAmount, fill.from),
    `→ ${amount(fill.buyAmount, fill.to)}`,
  ]);
  return [...columns(rows), ...(fills.length === 0 ? [] : ["", ...columns([head, ...route], [0, 5])])].join("\n");
}

/** Row about the future logs that a price builds on: nobody can trade at it before them. */
function overridesRow(answer: Price | Quote): readonly (readonly [string, string])[] {
  const { logs, pools } = ("overrides" in answer && answer.overrides) || {};
  return logs === undefined ? [] : [["on top of", `${logs} logs to come, which change ${pools?.length} pools`]];
}

/** Formats the answer's tokens and amounts. */
function namesOf({ route }: Price | Quote) {
  const token = (address: string) => route?.tokens.find((it) => it.address === address);
  const name = (address: string) => token(address)?.symbol || address;
  const amount = (units: string, address: string) => {
    const known = token(address);
    return known === undefined
      ? `${units} base units of ${address}`
      : `${toDecimal(BigInt(units), known.decimals)} ${name(address)}`;
  };
  return { name, amount };
}

/** Table of a quote's transaction, and of the approval or balance that the taker lacks. */
export function transactionView(quote: Quote): string {
  const { allowance, balance, simulationIncomplete } = quote.issues ?? {};
  return columns([
    ["to", quote.to],
    ["value", `${quote.value} wei`],
    ["gas", quote.gas],
    ["expires", new Date(Number(quote.expiry) * 1000).toISOString()],
    ...(allowance === undefined
      ? []
      : [["approve", `${allowance.spender} may spend ${allowance.actual}, ${quote.maxSellAmount} is needed`]]),
    ...(balance === undefined
      ? []
      : [["balance", `${balance.actual} of ${balance.token}, ${balance.expected} is needed`]]),
    ...(simulationIncomplete === true ? [["gas is", "estimated: the transaction could not be simulated"]] : []),
    ["data", quote.data],
  ]).join("\n");
}

/** The slippage that counts, and the one that the last blocks let expect. */
function slippageOf({ slippagePercentage, expectedSlippage }: Price | Quote): string {
  const expected = expectedSlippage === undefined ? "unknown" : percent(expectedSlippage.replace("-", ""));
  return `${percent(slippagePercentage)} at most, ${expected} expected`;
}

/** A row for each token that keeps a part of what is transferred, by the side that it is on. */
function taxRows(answer: Price | Quote, name: (address: string) => string): readonly (readonly [string, string])[] {
  const { sellToken, buyToken } = answer.tokenMetadata ?? {};
  const row = (address: string, bps: string | undefined) =>
    bps === undefined || bps === "0" ? [] : [["tax", `${bps} bps of ${name(address)}, counted above`] as const];
  return [...row(answer.sellTokenAddress, sellToken?.sellTaxBps), ...row(answer.buyTokenAddress, buyToken?.buyTaxBps)];
}

function atMost(amount: string, limit: string, show: (units: string) => string): string {
  return amount === limit ? "" : `, at most ${show(limit)}`;
}

function atLeast(amount: string, limit: string, show: (units: string) => string): string {
  return amount === limit ? "" : `, at least ${show(limit)}`;
}

function gapOf({ optimality }: Price | Quote): string {
  if (optimality === undefined) return "unknown";
  if (optimality.gapBps === undefined)
    return "unknown: no useful bound was found, or network cost has no value in this token";
  return `at most ${optimality.gapBps} bps from the best possible route`;
}

/** A fraction in percent with two decimals. */
function percent(fraction: string): string {
  return `${(Number(fraction) * 100).toFixed(2)} %`;
}
