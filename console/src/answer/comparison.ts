import type { Price, SwapClient, SwapRequest } from "../../../src/client/index.ts";
import { byId, html } from "../page/dom.ts";
import { readable, shorten, type Token } from "../token.ts";
import type { Palette } from "./answer-view.ts";
import { type ImpactPoint, impactPlot } from "./impact-plot.ts";
import { type PricesAlone, pricesAlone } from "./prices-alone.ts";

/** Multiples of the trade that the impact is shown for. */
const SIZES = [0.01, 0.1, 0.3, 1, 3, 10, 30, 100];

/** Request to compare, its tokens, and the client that prices it. */
export interface Compared {
  readonly client: SwapClient;
  readonly request: SwapRequest;
  readonly sell: Token;
  readonly buy: Token;
  readonly colorOf: Palette;
  readonly signal: AbortSignal;
}

/** Empties what was compared. */
export function clearSources(): void {
  byId("sources", HTMLTableSectionElement).replaceChildren();
  byId("sources-when", HTMLElement).textContent = "";
}

/** Empties the drawing of impacts. */
export function clearImpact(): void {
  byId("impact", HTMLDivElement).replaceChildren();
  byId("impact-when", HTMLElement).textContent = "";
}

/** Fills the table of what each source alone would give. */
export async function compareSources({ client, request, sell, buy, signal, colorOf }: Compared): Promise<void> {
  const compared = await pricesAlone(client, request, signal);
  if (signal.aborted) return;
  if (compared === undefined) throw new Error("there is no price to compare with");
  const { best, alone } = compared;
  const isExactIn = request.sellAmount !== undefined;
  const amountOf = (price: Price) => BigInt(isExactIn ? price.buyAmount : price.sellAmount);
  const token = isExactIn ? buy : sell;
  const whole = amountOf(best);
  const rows = alone.map(({ name, price }) => ({ name, amount: typeof price === "string" ? price : amountOf(price) }));
  rows.sort((a, b) => distance(a.amount, whole) - distance(b.amount, whole));
  byId("sources", HTMLTableSectionElement).replaceChildren(
    row("Tributary", readable(whole, token.decimals), "best", "var(--accent)"),
    ...rows.map(({ name, amount }) => {
      const shown = typeof amount === "string" ? "—" : readable(amount, token.decimals);
      return row(name, shown, inWords(amount, whole), colorOf(name));
    }),
  );
  const what = isExactIn ? `${buy.symbol} received` : `${sell.symbol} sold`;
  byId("sources-what", HTMLTableCellElement).textContent = what;
  byId("sources-when", HTMLElement).textContent = whenOf(compared);
}

/** The block that prices are of, or the first and the last where they are of several. */
function whenOf({ best, alone }: PricesAlone): string {
  const priced = alone.flatMap(({ price }) => (typeof price === "string" ? [] : [BigInt(price.blockNumber)]));
  const numbers = [BigInt(best.blockNumber), ...priced].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const [first, last] = [numbers[0], numbers.at(-1)].map((number) => shorten(String(number)));
  return first === last ? `at block ${first}` : `at blocks ${first} to ${last}`;
}

/** Percent between an amount and the best one; infinite where there is no price. */
function distance(amount: bigint | string, best: bigint): number {
  if (typeof amount === "string" || best === 0n) return Number.POSITIVE_INFINITY;
  return Math.abs(Number(((amount - best) * 1_000_000n) / best)) / 10_000;
}

function inWords(amount: bigint | string, best: bigint): string {
  if (typeof amount === "string") return amount;
  if (amount === best) return "the same";
  const percent = distance(amount, best);
  return `${amount < best ? "−" : "+"}${percent.toFixed(percent < 0.01 ? 4 : 2)} %`;
}

function row(name: string, amount: string, difference: string, color: string): HTMLTableRowElement {
  const dot = html("i", { class: "dot" });
  dot.style.background = color;
  return html("tr", {}, html("th", { scope: "row" }, dot, name), html("td", {}, amount), html("td", {}, difference));
}

/** Draws the price impact at sizes around the request's. */
export async function drawImpact({ client, request, sell, buy, signal }: Compared): Promise<void> {
  const isExactIn = request.sellAmount !== undefined;
  const base = BigInt(request.sellAmount ?? request.buyAmount ?? 0);
  const token = isExactIn ? sell : buy;
  const points = await Promise.all(
    SIZES.map(async (size): Promise<ImpactPoint> => {
      const amount = (base * BigInt(size * 100)) / 100n;
      const { sellAmount: _, buyAmount: __, ...rest } = request;
      const sized = (isExactIn ? { ...rest, sellAmount: amount } : { ...rest, buyAmount: amount }) as SwapRequest;
      const price = amount === 0n ? undefined : await client.price(sized, { signal }).catch(() => undefined);
      const impact = price?.estimatedPriceImpact;
      if (size === 1 && price !== undefined && !signal.aborted) {
        byId("impact-when", HTMLElement).textContent = `at block ${shorten(price.blockNumber)}`;
      }
      return { size, impact: impact === undefined ? undefined : Number(impact) };
    }),
  );
  if (signal.aborted) return;
  const place = byId("impact", HTMLDivElement);
  place.replaceChildren(impactPlot(points, `${readable(base, token.decimals)} ${token.symbol}`, place.clientWidth));
}
