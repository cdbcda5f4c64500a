/**
 * What a wallet shows before anything is signed: received, at least, price impact, what has to be approved. In the
 * browser, straight from the service: list the page's origin in CORS_ORIGINS.
 *
 *   esbuild examples/wallet-preview/preview.ts --bundle --format=esm --outfile=preview.js
 *
 * The page is opened as index.html#url=http://127.0.0.1:8080&key=…
 */
import {
  approvalsFor,
  createSwapClient,
  createWebTransport,
  NATIVE_TOKEN,
  SwapCallError,
  toBaseUnits,
  toDecimal,
} from "../../src/client/index.ts";

const settings = new URLSearchParams(location.hash.slice(1));
const url = settings.get("url") ?? "http://127.0.0.1:8080";
const tributary = createSwapClient({ transport: createWebTransport(url), apiKey: settings.get("key") ?? "" });
const taker = "0x000000000000000000000000000000000000dead";
const amount = document.querySelector<HTMLInputElement>("#amount");
const preview = document.querySelector<HTMLOutputElement>("#preview");
if (amount === null || preview === null) throw new Error("the page lacks its fields");

const { tokens } = (await (await fetch(`${url}/tokens.json`)).json()) as {
  tokens: { address: string; symbol: string; decimals: number }[];
};
const token = tokens.find(({ symbol }) => symbol === "USDH");

async function previewOf(text: string, signal: AbortSignal): Promise<string> {
  const sellAmount = toBaseUnits(text, 18);
  if (token === undefined || sellAmount === undefined) return "Enter an amount.";
  const show = (units: string) => `${toDecimal(BigInt(units), token.decimals)} ${token.symbol}`;
  try {
    const request = { sellToken: NATIVE_TOKEN, buyToken: token.address, sellAmount, takerAddress: taker };
    const quote = await tributary.quote(request, { signal });
    const approvals = approvalsFor(quote, taker).length;
    return [
      `You receive ${show(quote.buyAmount)}, at least ${show(quote.minBuyAmount)}.`,
      `Price impact ${quote.estimatedPriceImpact ?? "unknown"} %.`,
      approvals === 0 ? "Nothing to approve." : `${approvals} approval(s) first.`,
    ].join(" ");
  } catch (error) {
    if (!(error instanceof SwapCallError)) throw error;
    // Meant for people; a wallet would branch on error.kind.
    return error.message;
  }
}

let asking = new AbortController();
const update = async () => {
  asking.abort();
  asking = new AbortController();
  const { signal } = asking;
  const text = await previewOf(amount.value, signal);
  if (!signal.aborted) preview.value = text;
};
amount.addEventListener("input", () => void update());
await update();
