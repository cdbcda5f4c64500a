import {
  createSwapClient,
  createWebTransport,
  NATIVE_TOKEN,
  type Price,
  SwapCallError,
  type SwapClient,
  type SwapRequest,
  toBaseUnits,
  toDecimal,
} from "../../src/client/index.ts";
import { forgetKey, readLink, rememberKey, takeKey, writeLink } from "./address-bar.ts";
import { createPalette, showPrice, showRefusal } from "./answer-view.ts";
import { compareSources, drawImpact } from "./comparison.ts";
import { byId } from "./dom.ts";
import { askForKey } from "./key-form.ts";
import { followPrice, type Refusal } from "./live-price.ts";
import { showSnippets } from "./snippet-buttons.ts";
import { followTheme } from "./theme.ts";
import { readTokens, shorten, type Token } from "./token.ts";
import { pickToken } from "./token-picker.ts";
import { typedAmount } from "./typed-amount.ts";
import { createWalletPanel } from "./wallet-panel.ts";

/** What the page shows: exactly one part of the answer's card. */
type View = "empty" | "loading" | "price" | "refusal";
type Side = "sell" | "buy";

/** What is shown first of a request is taken up by whoever reads it out in this time. */
const HEARD_MS = 1_000;
const NOT_ACCEPTED = "The service does not accept this key. Enter another one.";
const FORGOTTEN = "The key is forgotten. Enter one to go on.";
/** Pause before a service that did not answer is asked again. */
const AGAIN_MS = 2_000;
/** Typing pauses of this length ask for a price. */
const TYPING_MS = 250;
const inputs = { sell: byId("sell-amount", HTMLInputElement), buy: byId("buy-amount", HTMLInputElement) };
const taker = byId("taker", HTMLInputElement);
const wallet = createWalletPanel();
const pickers = { sell: byId("sell-token", HTMLButtonElement), buy: byId("buy-token", HTMLButtonElement) };

/** Starts the console for a key. Resolves when another is needed, with a sentence that says why. */
async function trade(client: SwapClient): Promise<string> {
  const [tokens, { records }] = await Promise.all([readTokens(), client.sources()]);
  const colorOf = createPalette(records);
  const native = tokens.find(({ address }) => address === NATIVE_TOKEN)?.symbol ?? "native";
  const [first, second, third] = tokens;
  if (first === undefined || second === undefined) {
    show("empty", "The service has no token list: set TOKEN_LIST to trade from here.");
    return new Promise((resolve) => onLeave(() => resolve(FORGOTTEN)));
  }
  const link = readLink();
  const named = (address: string | undefined) => tokens.find((token) => token.address === address?.toLowerCase());
  const chosen: Record<Side, Token> = { sell: named(link.sell) ?? first, buy: named(link.buy) ?? third ?? second };
  let fixed: Side = link.buyAmount === undefined ? "sell" : "buy";
  const linked = link.buyAmount ?? link.sellAmount;
  inputs[fixed].value =
    linked !== undefined && /^\d+$/.test(linked) ? toDecimal(BigInt(linked), chosen[fixed].decimals) : "1";

  return new Promise((resolve) => {
    let running = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;

    const stop = (why: string) => {
      running.abort();
      clearTimeout(timer);
      wallet.offer(undefined);
      document.removeEventListener("visibilitychange", onVisible);
      resolve(why);
    };
    const ask = () => {
      running.abort();
      running = new AbortController();
      for (const side of ["sell", "buy"] as const) {
        const { symbol } = chosen[side];
        pickers[side].textContent = symbol;
        pickers[side].setAttribute("aria-label", `Token to ${side}: ${symbol}`);
      }
      const request = requestOf(chosen, fixed);
      wallet.offer(undefined);
      if (typeof request === "string") return show("empty", request);
      writeLink({
        sell: request.sellToken,
        buy: request.buyToken,
        sellAmount: request.sellAmount?.toString(),
        buyAmount: request.buyAmount?.toString(),
      });
      showSnippets(request);
      announce(true);
      show("loading");
      for (const id of ["sources", "impact"]) document.getElementById(id)?.replaceChildren();
      const { signal } = running;
      const compared = { client, request, sell: chosen.sell, buy: chosen.buy, colorOf, native, signal };
      let isCompared = false;
      let quiet: ReturnType<typeof setTimeout> | undefined;
      const tell = (price: Price) => {
        const free = fixed === "sell" ? "buy" : "sell";
        const units = free === "buy" ? price.buyAmount : price.sellAmount;
        inputs[free].value = toDecimal(BigInt(units), chosen[free].decimals);
        byId("head", HTMLSpanElement).textContent = `chain ${price.chainId} · block ${shorten(price.blockNumber)}`;
        // Drawings are as wide as their place, which has to be there first.
        show("price");
        showPrice(price, compared);
        wallet.offer(compared);
        // Whoever listens hears one price, once there is one for a request or again, not one with each block.
        quiet ??= setTimeout(() => signal.aborted || announce(false), HEARD_MS);
        // The comparison asks for many prices: once for a request.
        if (isCompared) return;
        isCompared = true;
        const quietly = () => {};
        void compareSources(compared)
          .catch(quietly)
          .then(() => drawImpact(compared).catch(quietly));
      };
      const refused = (refusal: Refusal) => {
        clearTimeout(quiet);
        quiet = undefined;
        announce(true);
        wallet.offer(undefined);
        showRefusal(refusal, chosen[fixed]);
        show("refusal");
      };
      void followPrice(client, request, signal, { price: tell, refused, keyRefused: () => stop(NOT_ACCEPTED) });
    };
    const askSoon = () => {
      running.abort();
      wallet.offer(undefined);
      show("loading");
      clearTimeout(timer);
      timer = setTimeout(ask, TYPING_MS);
    };
    /** Nobody looks: nothing is asked. */
    const onVisible = () => (document.hidden ? running.abort() : ask());

    for (const side of ["sell", "buy"] as const) {
      inputs[side].oninput = () => {
        fixed = side;
        inputs[side === "sell" ? "buy" : "sell"].value = "";
        askSoon();
      };
      pickers[side].onclick = async () => {
        const token = await pickToken(tokens);
        if (token === undefined) return;
        const other = side === "sell" ? "buy" : "sell";
        if (token.address === chosen[other].address) chosen[other] = chosen[side];
        chosen[side] = token;
        ask();
      };
    }
    byId("turn", HTMLButtonElement).onclick = () => {
      [chosen.sell, chosen.buy] = [chosen.buy, chosen.sell];
      [inputs.sell.value, inputs.buy.value] = [inputs.buy.value, inputs.sell.value];
      fixed = fixed === "sell" ? "buy" : "sell";
      ask();
    };
    for (const id of ["slippage", "taker"]) byId(id, HTMLInputElement).oninput = askSoon;
    // Who sends makes gas exact.
    wallet.onAccount((address) => {
      taker.value = address ?? "";
      askSoon();
    });
    byId("retry", HTMLButtonElement).onclick = ask;
    onLeave(() => stop(FORGOTTEN));
    document.addEventListener("visibilitychange", onVisible);
    ask();
  });
}

/** The request that the form spells, or a sentence about what is still missing. */
function requestOf(chosen: Readonly<Record<Side, Token>>, fixed: Side): SwapRequest | string {
  const { sell, buy } = chosen;
  const typed = inputs[fixed].value.trim();
  if (typed === "") return "Enter an amount to see its price.";
  const text = typedAmount(typed);
  if (text === undefined) return `"${typed}" can be read in more than one way. Leave thousands ungrouped.`;
  const units = toBaseUnits(text, chosen[fixed].decimals);
  if (units === undefined)
    return `An amount of ${chosen[fixed].symbol} is a number with at most ${chosen[fixed].decimals} decimals.`;
  if (units === 0n) return "Enter an amount above zero.";
  const percent = byId("slippage", HTMLInputElement).value.trim();
  const slippage = toBaseUnits(percent, 16);
  if (slippage === undefined || slippage > 10n ** 18n) return "Slippage is a number of percent up to 100, such as 0.5.";
  const sender = taker.value.trim();
  const rest = {
    sellToken: sell.address,
    buyToken: buy.address,
    slippagePercentage: toDecimal(slippage, 18),
    takerAddress: sender === "" ? undefined : sender,
  };
  return fixed === "sell" ? { ...rest, sellAmount: units } : { ...rest, buyAmount: units };
}

/** Whether what changes in the answer's card is read out. */
function announce(reads: boolean): void {
  byId("answer", HTMLElement).setAttribute("aria-live", reads ? "polite" : "off");
}

function show(view: View, says?: string): void {
  document.body.dataset.view = view;
  if (says !== undefined) byId("empty", HTMLParagraphElement).textContent = says;
}

/** Calls `left` when somebody has the key forgotten. */
function onLeave(left: () => void): void {
  byId("leave", HTMLButtonElement).onclick = left;
}

/** Says that the service does not answer, and resolves when it is to be asked again. */
function nobodyThere(): Promise<void> {
  show("empty", "The service cannot be reached. It is asked again every few seconds.");
  onLeave(() => {
    forgetKey();
    location.reload();
  });
  return new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
}

// Another link in the same tab: its key and its swap are taken up from the start.
addEventListener("hashchange", () => location.reload());

followTheme();
let why = "The service prints it when it starts, with a link that holds it already.";
for (let key = takeKey(); ; ) {
  key ??= await askForKey(why);
  rememberKey(key);
  show("loading");
  try {
    why = await trade(createSwapClient({ transport: createWebTransport(location.origin), apiKey: key }));
  } catch (error) {
    // A key that no header can carry is no key of the service.
    const isNoKey = error instanceof RangeError;
    if (!isNoKey && (!(error instanceof SwapCallError) || error.isRetryable)) {
      // No fault of the key's, which may be the only copy that somebody has.
      await nobodyThere();
      continue;
    }
    why = isNoKey || error.kind === "UNAUTHENTICATED" ? NOT_ACCEPTED : error.message;
  }
  forgetKey();
  key = undefined;
}
