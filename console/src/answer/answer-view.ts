import { type FieldProblem, type Price, toDecimal } from "../../../src/client/index.ts";
import type { Dollars } from "../page/dollars.ts";
import { byId, html } from "../page/dom.ts";
import { refusalWords } from "../page/refusal-words.ts";
import { inverse, readable, readableAtMost, shorten, type Token } from "../token.ts";
import type { Refusal } from "./live-price.ts";
import { routeDiagram, routeLegend } from "./route-diagram.ts";
import { severityOf } from "./swap-risks.ts";

/** A colour for each source, the same in every drawing. */
export type Palette = (source: string) => string;

/** Colours as far apart as the golden angle puts them, by the sources' order. */
export function createPalette(sources: readonly string[]): Palette {
  return (source) => `hsl(${Math.round(200 + Math.max(sources.indexOf(source), 0) * 137.5) % 360} 45% 55%)`;
}

/** Tokens of a price, and how their amounts are shown. */
export interface Trade {
  readonly sell: Token;
  readonly buy: Token;
  /** Symbol of the token that gas is paid in. */
  readonly native: string;
  readonly dollars: Dollars;
  readonly colorOf: Palette;
}

/** Fields that a price and a quote share. */
export type Figures = Omit<Price, "$typeName" | "$unknown">;

/** A line of facts: its name, what it says, and how bad that is. */
export type Fact = readonly [name: string, value: string, severity?: "warn" | "bad" | undefined];

/** Puts facts into a list of the page. */
export function showFacts(place: HTMLDListElement, facts: readonly Fact[]): void {
  place.replaceChildren(
    ...facts.flatMap(([name, value, severity]) => [
      html("dt", {}, name),
      html("dd", severity === undefined ? {} : { class: severity }, value),
    ]),
  );
}

/** Facts about a trade that prices and quotes share. */
export function factsOf(price: Figures, { sell, buy, native, dollars }: Trade): readonly Fact[] {
  const impact = price.estimatedPriceImpact;
  return [
    ["Rate", `1 ${sell.symbol} = ${shorten(inverse(price.price))} ${buy.symbol}`],
    price.minBuyAmount === price.buyAmount
      ? ["Sold at most", `${readableAtMost(BigInt(price.maxSellAmount), sell.decimals)} ${sell.symbol}`]
      : ["Received at least", `${readable(BigInt(price.minBuyAmount), buy.decimals)} ${buy.symbol}`],
    ["Price impact", impact === undefined ? "unknown" : `${impact} %`, severityOf(impact)],
    ["Network cost, at most", networkCost(price, native, dollars)],
  ];
}

/** The fee with the gas limit and the gas price that it is made of, and a rollup's fee for data where there is one. */
function networkCost({ totalNetworkFee, gas, gasPrice }: Figures, native: string, dollars: Dollars): string {
  const [fee, ofGas] = [BigInt(totalNetworkFee), BigInt(gas) * BigInt(gasPrice)];
  const worth = dollars.worth(fee, 18, "1");
  const data = fee > ofGas ? ` and ${readableAtMost(fee - ofGas, 18)} ${native} for data` : "";
  const parts = [`${readableAtMost(fee, 18)} ${native}`, worth, `${shorten(gas)} gas at ${gwei(gasPrice)} gwei${data}`];
  return parts.filter((part) => part !== "").join(" · ");
}

function gwei(wei: string): string {
  return shorten(toDecimal(BigInt(wei), 9));
}

/** Fills the answer's card with a price. */
export function showPrice(price: Price, trade: Trade): void {
  showFacts(byId("facts", HTMLDListElement), [
    ...factsOf(price, trade),
    ["Best possible route", gapInWords(price)],
    ["Block", `${shorten(price.blockNumber)} · ${price.blockHash.slice(0, 10)}…`],
  ]);
  const { colorOf } = trade;
  const { route } = price;
  const drawing = byId("route", HTMLDivElement);
  const isDirect = route === undefined || route.fills.length === 0;
  drawing.replaceChildren(
    isDirect
      ? "One to one: no pool is needed."
      : routeDiagram(route, price.sellTokenAddress, colorOf, drawing.clientWidth),
  );
  // Somebody may be reading the table: it stays open from block to block.
  const legend = byId("legend", HTMLDivElement);
  const isOpen = legend.querySelector("details")?.open === true;
  legend.replaceChildren(...(isDirect ? [] : routeLegend(route, colorOf)));
  const table = legend.querySelector("details");
  if (table !== null) table.open = isOpen;
}

/** Fills the answer's card with what went wrong and what to do about it. `token`: what the request's amount is of. */
export function showRefusal({ reason, message, problems: all, requestId, passes }: Refusal, token: Token): void {
  const forPeople = (text: string) => refusalWords(text, token);
  const item = ({ description }: FieldProblem) => html("li", {}, forPeople(description));
  const again = passes ? "The console shows a price as soon as there is one." : undefined;
  const problems = all.filter(({ description }) => description !== message);
  const [ofSources, ofRequest] = [problems.filter(isOfSource), problems.filter((problem) => !isOfSource(problem))];
  byId("refusal", HTMLDivElement).replaceChildren(
    html("b", {}, HEADINGS[reason] ?? "There is no price"),
    html("p", {}, forPeople(message)),
    ofRequest.length > 0 ? html("ul", {}, ...ofRequest.map(item)) : "",
    ofSources.length > 0
      ? html("details", {}, html("summary", {}, "What each source alone says"), html("ul", {}, ...ofSources.map(item)))
      : "",
    again === undefined ? "" : html("p", {}, again),
    html("small", {}, [reason, requestId].filter((it) => it !== undefined).join(" · ")),
  );
}

function isOfSource({ reason }: FieldProblem): boolean {
  return reason === "SOURCE_CANNOT_SERVE";
}

const HEADINGS: Readonly<Record<string, string>> = {
  INSUFFICIENT_ASSET_LIQUIDITY: "Not enough liquidity",
  INVALID_PARAMETERS: "The request is not right",
  UNAUTHENTICATED: "The API key is not accepted",
  TOO_MANY_REQUESTS: "Too many requests",
  UNAVAILABLE: "No fresh state of the chain",
  NOT_REACHED: "The service cannot be reached",
  DEADLINE_EXCEEDED: "That took too long",
};

function gapInWords({ optimality }: Price): string {
  const gap = optimality?.gapBps;
  return gap === undefined ? "distance unknown" : `at most ${shorten(gap)} bps better`;
}
