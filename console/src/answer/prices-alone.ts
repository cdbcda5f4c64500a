import { type Price, SwapCallError, type SwapClient, type SwapRequest } from "../../../src/client/index.ts";

/** Price of one source by itself. */
export interface PriceAlone {
  readonly name: string;
  /** A word for why there is none where it is not a price. */
  readonly price: Price | "no route" | "no answer";
}

/** The price of a request, and those that each live source would have alone. */
export interface PricesAlone {
  readonly best: Price;
  readonly alone: readonly PriceAlone[];
}

/** Blocks come every few seconds: as many tries until all prices of a comparison are of the same one. */
const TRIES = 4;

/** At one block, or around it where blocks come faster than so many prices. Undefined where the request has no price. */
export async function pricesAlone(
  client: SwapClient,
  request: SwapRequest,
  signal: AbortSignal,
): Promise<PricesAlone | undefined> {
  const { sources } = await client.sources({ signal });
  const { excludedSources, ...rest } = request;
  const excluded = new Set(excludedSources ?? []);
  const names = sources
    .filter(({ kind, status, name }) => kind !== "wrapper" && status === "live" && !excluded.has(name))
    .map(({ name }) => name);
  const wrappers = sources.filter(({ kind }) => kind === "wrapper").map(({ name }) => name);
  const ask = (asked: SwapRequest) => client.price(asked, { signal }).catch(wordFor);
  const onlyOn = (name: string) => ({ ...rest, includedSources: [name, ...wrappers] }) as SwapRequest;

  for (let tried = 1; !signal.aborted; tried += 1) {
    const [best, ...prices] = await Promise.all([ask(request), ...names.map((name) => ask(onlyOn(name)))]);
    if (best === undefined || typeof best === "string") return undefined;
    const isOfOneBlock = prices.every((price) => typeof price === "string" || price.blockHash === best.blockHash);
    if (isOfOneBlock || tried === TRIES)
      return { best, alone: names.map((name, i) => ({ name, price: prices[i] ?? "no answer" })) };
  }
  return undefined;
}

/** A service that refuses knows that there is no route; one that is busy or not there does not say so. */
function wordFor(error: unknown): "no route" | "no answer" {
  return error instanceof SwapCallError && error.kind === "INSUFFICIENT_ASSET_LIQUIDITY" ? "no route" : "no answer";
}
