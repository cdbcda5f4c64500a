import type { Price, Quote, SwapRequest } from "../../../src/client/index.ts";
import { type Figures, factsOf, showFacts, type Trade } from "../answer/answer-view.ts";
import { moveSince, risksOf, secondsLeft } from "../answer/swap-risks.ts";
import { byId, html } from "../page/dom.ts";
import { readable, readableAtMost } from "../token.ts";

/** The user's decision on a quote. */
export type Decision = "swap" | "quote again" | "cancel";

/** The step before a swap: shows a quote with its risks, and asks. */
export interface Review {
  /** Shows a quote until somebody decides. A quote that has expired cannot be swapped. */
  ask(quote: Quote, request: SwapRequest, trade: Trade): Promise<Decision>;
  /** Tells of a newer price for the request. */
  priced(price: Price): void;
}

const EVERY_MS = 500;
const WORD = "confirm";

export function createReview(): Review {
  const dialog = byId("review", HTMLDialogElement);
  const word = byId("review-word", HTMLInputElement);
  const confirm = byId("review-confirm", HTMLButtonElement);
  const again = byId("review-again", HTMLButtonElement);
  const moved = byId("review-moved", HTMLParagraphElement);
  const expiry = byId("review-expiry", HTMLParagraphElement);
  let priced: (price: Price) => void = () => {};

  byId("review-cancel", HTMLButtonElement).onclick = () => dialog.close("cancel");
  again.onclick = () => dialog.close("quote again");
  confirm.onclick = () => dialog.close("swap");
  // A browser does not close a dialog by this key that was opened without a click just before.
  dialog.onkeydown = (event) => {
    if (event.key === "Escape") dialog.close("cancel");
  };

  return {
    async ask(quote, request, trade) {
      const slippage = Number(request.slippagePercentage ?? "0.01") * 100;
      const { warnings, mustType } = risksOf(quote, Number(slippage.toFixed(4)), [trade.sell, trade.buy]);
      const isExactIn = request.sellAmount !== undefined;
      let newest: Pick<Price, "blockTimestamp"> = quote;
      let toldAt = performance.now();
      let breaksQuote = false;

      const look = () => {
        const left = secondsLeft(quote, newest, performance.now() - toldAt);
        const isTyped = !mustType || word.value.trim().toLowerCase() === WORD;
        confirm.disabled = left === 0 || breaksQuote || !isTyped;
        again.hidden = left > 0 && moved.textContent === "";
        again.textContent = left > 0 ? "Use the new price" : "Ask for a new quote";
        expiry.textContent =
          left > 0 ? `The quote holds for ${inMinutes(left)}.` : "The quote has expired. Nothing was sent.";
      };
      priced = (price) => {
        newest = price;
        toldAt = performance.now();
        const move = moveSince(quote, price, isExactIn);
        breaksQuote = move?.breaksQuote === true;
        moved.textContent = move === undefined ? "" : moveInWords(price, move.percent, breaksQuote, isExactIn, trade);
        look();
      };
      showFacts(byId("review-facts", HTMLDListElement), [
        ["You sell", amountSold(quote, trade)],
        ["You receive", amountBought(quote, trade)],
        ...factsOf(quote, trade),
        ["Greatest slippage", `${Number(slippage.toFixed(4))} %`],
        ["Contract", quote.to],
      ]);
      const list = byId("review-warnings", HTMLUListElement);
      list.replaceChildren(...warnings.map((text) => html("li", {}, text)));
      byId("review-typed", HTMLLabelElement).hidden = !mustType;
      word.value = "";
      word.oninput = look;
      moved.textContent = "";
      dialog.returnValue = "cancel";
      look();
      dialog.showModal();
      (mustType ? word : confirm).focus();
      const timer = setInterval(look, EVERY_MS);
      await new Promise((resolve) => dialog.addEventListener("close", resolve, { once: true }));
      clearInterval(timer);
      priced = () => {};
      return dialog.returnValue as Decision;
    },
    priced: (price) => priced(price),
  };
}

function amountSold(price: Figures, { sell, dollars }: Trade): string {
  const units = BigInt(price.sellAmount);
  const worth = dollars.worth(units, sell.decimals, price.sellTokenToEthRate);
  return `${readableAtMost(units, sell.decimals)} ${sell.symbol}${worth === "" ? "" : ` · ${worth}`}`;
}

function amountBought(price: Figures, { buy, dollars }: Trade): string {
  const units = BigInt(price.buyAmount);
  const worth = dollars.worth(units, buy.decimals, price.buyTokenToEthRate);
  return `${readable(units, buy.decimals)} ${buy.symbol}${worth === "" ? "" : ` · ${worth}`}`;
}

function moveInWords(price: Price, percent: number, breaks: boolean, isExactIn: boolean, trade: Trade): string {
  const amount = isExactIn ? amountBought(price, trade) : amountSold(price, trade);
  const change = `${percent > 0 ? "better" : "worse"} by ${Math.abs(percent).toFixed(2)} %`;
  const end = breaks ? " The quote shown would be reverted now." : "";
  return `The price has moved: ${isExactIn ? "you would receive" : "you would sell"} ${amount}, ${change}.${end}`;
}

function inMinutes(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")} min`;
}
