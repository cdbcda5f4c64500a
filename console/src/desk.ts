import { NATIVE_TOKEN, type Price, type SwapClient, type SwapRequest, toDecimal } from "../../src/client/index.ts";
import { type Palette, showPrice, showRefusal } from "./answer/answer-view.ts";
import { type Compared, clearImpact, clearSources, compareSources, drawImpact } from "./answer/comparison.ts";
import { followPrice, type Refusal } from "./answer/live-price.ts";
import { showSnippets } from "./answer/snippet-buttons.ts";
import { FORM, requestOf, type Side, showTokens } from "./form/swap-form.ts";
import { createTokenImports, isAddress, type TokenImports } from "./form/token-import.ts";
import { pickToken, type TokenShelf } from "./form/token-picker.ts";
import { readLink, writeLink } from "./page/address-bar.ts";
import { createDollars, type Dollars } from "./page/dollars.ts";
import { byId } from "./page/dom.ts";
import { createInsight } from "./page/insight.ts";
import type { Served } from "./page/served.ts";
import { announce, onLeave, show } from "./page/view.ts";
import { shorten, type Token } from "./token.ts";
import { createBalances } from "./wallet/balances.ts";
import type { WalletAccount } from "./wallet/wallet-account.ts";
import { createWalletPanel } from "./wallet/wallet-panel.ts";

/** Time that a screen reader needs for the first text about a request. */
const HEARD_MS = 1_000;
/** Typing pauses of this length ask for a price. */
const TYPING_MS = 250;
const SIDES: readonly Side[] = ["sell", "buy"];
const otherOf = (side: Side): Side => (side === "sell" ? "buy" : "sell");

const wallet = createWalletPanel();
const insights = [
  createInsight<Compared>("sources-details", clearSources, compareSources),
  createInsight<Compared>("impact-details", clearImpact, drawImpact),
];

/** The swap on the page: what is asked for, what is answered, and whoever is to be told. */
export class Desk {
  readonly #client: SwapClient;
  readonly #served: Served;
  readonly #colorOf: Palette;
  readonly #stopped: (why: "forgotten" | "refused") => void;
  readonly #imports: TokenImports;
  readonly #dollars: Dollars;
  readonly #balances = createBalances();
  readonly #chosen: Record<Side, Token>;
  #fixed: Side = "sell";
  #running = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #account: WalletAccount | undefined;
  #price: Price | undefined;

  /** @throws RangeError when the service has fewer than two tokens */
  constructor(
    client: SwapClient,
    served: Served,
    colorOf: Palette,
    /** Called once, when the key is not to be used any more. */
    stopped: (why: "forgotten" | "refused") => void,
  ) {
    const [first, second, third] = served.tokens;
    if (first === undefined || second === undefined) throw new RangeError("there are not two tokens to swap");
    this.#client = client;
    this.#served = served;
    this.#colorOf = colorOf;
    this.#stopped = stopped;
    this.#imports = createTokenImports(client, served.network);
    this.#dollars = createDollars(client, served.network.usdToken, () => this.#showWorth());
    this.#chosen = { sell: first, buy: third ?? second };
  }

  /** Takes up the swap of the page's address, and asks for its price. */
  async start(): Promise<void> {
    onLeave(() => this.#stop("forgotten"));
    const link = readLink();
    for (const side of SIDES) {
      const token = await this.#linked(link[side]);
      if (token !== undefined) this.#choose(side, token);
    }
    this.#fixed = link.buyAmount === undefined ? "sell" : "buy";
    const linked = link.buyAmount ?? link.sellAmount;
    const isAmount = linked !== undefined && /^\d+$/.test(linked);
    const { decimals } = this.#chosen[this.#fixed];
    FORM.amounts[this.#fixed].value = isAmount ? toDecimal(BigInt(linked), decimals) : "1";
    this.#listen();
    this.#ask();
  }

  /** The token of a link. One that nobody knows here is shown before it is imported. */
  async #linked(address: string | undefined): Promise<Token | undefined> {
    if (address === undefined) return undefined;
    const known = [...this.#served.tokens, ...this.#imports.kept()].find((it) => it.address === address.toLowerCase());
    return known ?? (isAddress(address) ? pickToken(this.#shelf(), address) : undefined);
  }

  #listen(): void {
    for (const side of SIDES) {
      FORM.amounts[side].oninput = () => {
        this.#fixed = side;
        FORM.amounts[otherOf(side)].value = "";
        this.#askSoon();
      };
      FORM.pickers[side].onclick = async () => {
        const token = await pickToken(this.#shelf());
        if (token === undefined) return;
        this.#choose(side, token);
        this.#ask();
      };
    }
    byId("turn", HTMLButtonElement).onclick = () => this.#turn();
    for (const field of [FORM.slippage, FORM.taker]) field.oninput = () => this.#askSoon();
    FORM.max.onclick = () => this.#sellAll();
    // The sender of the transaction makes gas exact.
    wallet.onAccount((account) => {
      this.#account = account;
      FORM.taker.value = account?.address ?? "";
      this.#askSoon();
    });
    wallet.onMined(() => this.#refreshBalances());
    byId("retry", HTMLButtonElement).onclick = () => this.#ask();
    document.addEventListener("visibilitychange", this.#onVisible);
  }

  /** Nobody looks: nothing is asked. */
  readonly #onVisible = () => (document.hidden ? this.#running.abort() : this.#ask());

  #shelf(): TokenShelf {
    return { network: this.#served.network, listed: this.#served.tokens, imports: this.#imports };
  }

  #choose(side: Side, token: Token): void {
    const other = otherOf(side);
    if (token.address === this.#chosen[other].address) this.#chosen[other] = this.#chosen[side];
    this.#chosen[side] = token;
  }

  #turn(): void {
    const { sell, buy } = this.#chosen;
    const { amounts } = FORM;
    [this.#chosen.sell, this.#chosen.buy] = [buy, sell];
    [amounts.sell.value, amounts.buy.value] = [amounts.buy.value, amounts.sell.value];
    this.#fixed = otherOf(this.#fixed);
    this.#ask();
  }

  #sellAll(): void {
    const most = this.#balances.most(this.#chosen.sell, this.#price);
    if (most === undefined) return;
    this.#fixed = "sell";
    FORM.amounts.sell.value = most;
    FORM.amounts.buy.value = "";
    this.#ask();
  }

  #stop(why: "forgotten" | "refused"): void {
    this.#running.abort();
    clearTimeout(this.#timer);
    wallet.offer(undefined);
    document.removeEventListener("visibilitychange", this.#onVisible);
    this.#stopped(why);
  }

  #askSoon(): void {
    this.#running.abort();
    wallet.offer(undefined);
    show("loading");
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#ask(), TYPING_MS);
  }

  #ask(): void {
    this.#running.abort();
    clearTimeout(this.#timer);
    this.#running = new AbortController();
    this.#price = undefined;
    showTokens(this.#chosen);
    this.#showWorth();
    this.#refreshBalances();
    wallet.offer(undefined);
    for (const insight of insights) insight.about(undefined);
    const request = requestOf(this.#chosen, this.#fixed);
    if (typeof request === "string") {
      show("empty", request);
      return;
    }
    writeLink({
      sell: request.sellToken,
      buy: request.buyToken,
      sellAmount: request.sellAmount?.toString(),
      buyAmount: request.buyAmount?.toString(),
    });
    showSnippets(request);
    this.#follow(request);
  }

  #follow(request: SwapRequest): void {
    const { signal } = this.#running;
    const { network } = this.#served;
    const { sell, buy } = this.#chosen;
    const native = network.native.symbol;
    const trade = { client: this.#client, request, sell, buy, native, dollars: this.#dollars, colorOf: this.#colorOf };
    let quiet: ReturnType<typeof setTimeout> | undefined;
    let isFirst = true;
    announce(true);
    show("loading");
    const price = (told: Price) => {
      this.#price = told;
      this.#dollars.learn(told);
      const free = otherOf(this.#fixed);
      const units = free === "buy" ? told.buyAmount : told.sellAmount;
      FORM.amounts[free].value = toDecimal(BigInt(units), this.#chosen[free].decimals);
      byId("head", HTMLSpanElement).textContent = `${network.name} · block ${shorten(told.blockNumber)}`;
      // Drawings are as wide as their place, which has to be there first.
      show("price");
      showPrice(told, trade);
      this.#showWorth();
      wallet.offer({ ...trade, price: told, network });
      // Screen readers get one price, once there is one for a request or again, not one with each block.
      quiet ??= setTimeout(() => signal.aborted || announce(false), HEARD_MS);
      if (isFirst) for (const insight of insights) insight.about({ ...trade, signal });
      isFirst = false;
    };
    const refused = (refusal: Refusal) => {
      clearTimeout(quiet);
      quiet = undefined;
      announce(true);
      wallet.offer(undefined);
      showRefusal(refusal, this.#chosen[this.#fixed]);
      show("refusal");
    };
    void followPrice(this.#client, request, signal, { price, refused, keyRefused: () => this.#stop("refused") });
  }

  #refreshBalances(): void {
    void this.#balances.refresh(this.#account, this.#chosen, this.#served.network.chainId);
  }

  #showWorth(): void {
    const price = this.#price;
    const { sell, buy } = this.#chosen;
    const dollars = this.#dollars;
    FORM.worths.sell.textContent =
      price === undefined ? "" : dollars.worth(BigInt(price.sellAmount), sell.decimals, price.sellTokenToEthRate);
    FORM.worths.buy.textContent =
      price === undefined ? "" : dollars.worth(BigInt(price.buyAmount), buy.decimals, price.buyTokenToEthRate);
  }
}

/** Whether a service has what it takes to trade: the native token and another. */
export function canTrade({ tokens }: Served): boolean {
  return tokens.length > 1 && tokens.some(({ address }) => address === NATIVE_TOKEN);
}
