import type { FieldProblem, Price } from "../../src/client/index.ts";
import { byId, html } from "./dom.ts";
import type { Refusal } from "./live-price.ts";
import { routeDiagram, routeLegend } from "./route-diagram.ts";
import { inverse, readable, readableAtMost, shorten, type Token } from "./token.ts";

/** A colour for each source, the same in every drawing. */
export type Palette = (source: string) => string;

/** Colours as far apart as the golden angle puts them, by the sources' order. */
export function createPalette(sources: readonly string[]): Palette {
  return (source) => `hsl(${Math.round(200 + Math.max(sources.indexOf(source), 0) * 137.5) % 360} 45% 55%)`;
}

/** What a price is about. */
export interface Trade {
  readonly sell: Token;
  readonly buy: Token;
  /** Symbol of the token that gas is paid in. */
  readonly native: string;
  readonly colorOf: Palette;
}

/** Fills the answer's card with a price. */
export function showPrice(price: Price, { sell, buy, native, colorOf }: Trade): void {
  const rate = shorten(inverse(price.price));
  const impact = price.estimatedPriceImpact;
  const rows: readonly (readonly [string, string, (string | undefined)?])[] = [
    ["Rate", `1 ${sell.symbol} = ${rate} ${buy.symbol}`],
    price.minBuyAmount === price.buyAmount
      ? ["Sold at most", `${readableAtMost(BigInt(price.maxSellAmount), sell.decimals)} ${sell.symbol}`]
      : ["Received at least", `${readable(BigInt(price.minBuyAmount), buy.decimals)} ${buy.symbol}`],
    ["Price impact", impact === undefined ? "unknown" : `${impact} %`, severityOf(impact)],
    [
      "Network cost",
      `${readableAtMost(BigInt(price.totalNetworkFee), 18)} ${native} · ${shorten(price.estimatedGas)} gas`,
    ],
    ["Best possible route", gapInWords(price)],
    ["Block", `${shorten(price.blockNumber)} · ${price.blockHash.slice(0, 10)}…`],
  ];
  byId("facts", HTMLDListElement).replaceChildren(
    ...rows.flatMap(([name, value, severity]) => [
      html("dt", {}, name),
      html("dd", severity === undefined ? {} : { class: severity }, value),
    ]),
  );
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
  const forPeople = (text: string) => sentence(inUnits(text.replace(/ ?\(0x[0-9a-f]{40}\)/g, ""), token));
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

/** The service speaks of base units; people have the token's own. */
function inUnits(text: string, { decimals, symbol }: Token): string {
  return text.replace(
    /\b(\d+) base units(?: of \w+)?|(?<=at most )(\d+)\b/g,
    (_, given: string | undefined, most: string) => `${readable(BigInt(given ?? most), decimals)} ${symbol}`,
  );
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

function sentence(text: string): string {
  return text === "" ? "" : `${text[0]?.toUpperCase()}${text.slice(1)}`;
}

function gapInWords({ optimality }: Price): string {
  const gap = optimality?.gapBps;
  return gap === undefined ? "distance unknown" : `at most ${shorten(gap)} bps better`;
}

/** Percent from which an impact deserves a colour. */
function severityOf(impact: string | undefined): string | undefined {
  const percent = Number(impact ?? "0");
  return percent >= 5 ? "bad" : percent >= 1 ? "warn" : undefined;
}
