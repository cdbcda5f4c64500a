import type { Price, SwapClient, SwapRequest } from "../../src/client/index.ts";
import type { Palette } from "./answer-view.ts";
import { byId, html } from "./dom.ts";
import { type ImpactPoint, impactPlot } from "./impact-plot.ts";
import { readable, shorten, type Token } from "./token.ts";

/** Multiples of the trade that the impact is shown for. */
const SIZES = [0.01, 0.1, 0.3, 1, 3, 10, 30, 100];

/** What is compared: a request and who trades what for what in it. */
export interface Compared {
  readonly client: SwapClient;
  readonly request: SwapRequest;
  readonly sell: Token;
  readonly buy: Token;
  readonly colorOf: Palette;
  readonly signal: AbortSignal;
}

/** Blocks come every few seconds: as many tries until all prices of a comparison are of the same one. */
const TRIES = 4;

/** Fills the table of what each source alone would give, all at one block. */
export async function compareSources(it: Compared): Promise<void> {
  const { client, request, sell, buy, signal, colorOf } = it;
  const { sources } = await client.sources({ signal });
  const excluded = new Set(request.excludedSources ?? []);
  const alone = sources.filter(
    ({ kind, status, name }) => kind !== "wrapper" && status === "live" && !excluded.has(name),
  );
  const wrappers = sources.filter(({ kind }) => kind === "wrapper").map(({ name }) => name);
  const ask = (asked: SwapRequest) => client.price(asked, { signal }).catch(() => undefined);
  const { excludedSources: _, ...rest } = request;
  const onlyOn = (name: string) => ({ ...rest, includedSources: [name, ...wrappers] }) as SwapRequest;

  for (let tried = 0; tried < TRIES && !signal.aborted; tried += 1) {
    const [best, ...prices] = await Promise.all([ask(request), ...alone.map(({ name }) => ask(onlyOn(name)))]);
    if (best === undefined || signal.aborted) return;
    if (prices.some((price) => price !== undefined && price.blockHash !== best.blockHash)) continue;
    const isSale = request.sellAmount !== undefined;
    const amountOf = (price: Price) => BigInt(isSale ? price.buyAmount : price.sellAmount);
    const token = isSale ? buy : sell;
    const whole = amountOf(best);
    const rows = alone.map(({ name }, i) => ({ name, amount: prices[i] && amountOf(prices[i]) }));
    rows.sort((a, b) => distance(a.amount, whole) - distance(b.amount, whole));
    byId("sources", HTMLTableSectionElement).replaceChildren(
      row("Tributary", readable(whole, token.decimals), "best", "var(--accent)"),
      ...rows.map(({ name, amount }) => {
        const shown = amount === undefined ? "—" : readable(amount, token.decimals);
        return row(name, shown, inWords(amount, whole), colorOf(name));
      }),
    );
    const what = isSale ? `${buy.symbol} received` : `${sell.symbol} sold`;
    byId("sources-what", HTMLTableCellElement).textContent = what;
    byId("sources-when", HTMLElement).textContent = `at block ${shorten(best.blockNumber)}`;
    return;
  }
  if (signal.aborted) return;
  const why = "Blocks come faster than all these prices: none were of the same one.";
  byId("sources", HTMLTableSectionElement).replaceChildren(html("tr", {}, html("td", { colspan: "3" }, why)));
}

/** Percent between an amount and the best one; infinite where there is no price. */
function distance(amount: bigint | undefined, best: bigint): number {
  if (amount === undefined || best === 0n) return Number.POSITIVE_INFINITY;
  return Math.abs(Number(((amount - best) * 1_000_000n) / best)) / 10_000;
}

function inWords(amount: bigint | undefined, best: bigint): string {
  if (amount === undefined) return "no route";
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
  const isSale = request.sellAmount !== undefined;
  const base = BigInt(request.sellAmount ?? request.buyAmount ?? 0);
  const token = isSale ? sell : buy;
  const points = await Promise.all(
    SIZES.map(async (size): Promise<ImpactPoint> => {
      const amount = (base * BigInt(size * 100)) / 100n;
      const { sellAmount: _, buyAmount: __, ...rest } = request;
      const sized = (isSale ? { ...rest, sellAmount: amount } : { ...rest, buyAmount: amount }) as SwapRequest;
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
