import { type Price, SwapCallError, toDecimal } from "../../../src/client/index.ts";
import type { Network } from "../../../src/domain/network.ts";
import type { Trade } from "../answer/answer-view.ts";
import { byId, html } from "../page/dom.ts";
import { explorerLink } from "../page/served.ts";
import { readable, readableAtMost, type Token } from "../token.ts";
import { createReview } from "./review.ts";
import { type Offer, prepareSwap, type Step } from "./swap-flow.ts";
import { connect, type WalletAccount, WalletError } from "./wallet-account.ts";
import { discoverWallets, type Wallet } from "./wallets.ts";

/** Swap that the page offers. */
export interface WalletOffer extends Offer, Trade {
  readonly price: Price;
  readonly network: Network;
}

/** The card that swaps with a wallet. */
export interface WalletPanel {
  /** Sets the offer on the page; undefined without a price. A swap under way goes on. */
  offer(offer: WalletOffer | undefined): void;
  /** Calls `listener` with the account that is connected, and with undefined when none is any more. */
  onAccount(listener: (account: WalletAccount | undefined) => void): void;
  /** Calls `listener` when something that was sent is mined: balances are others now. */
  onMined(listener: () => void): void;
}

export function createWalletPanel(): WalletPanel {
  const says = byId("wallet-says", HTMLParagraphElement);
  const failed = byId("wallet-failed", HTMLParagraphElement);
  const buttons = byId("wallet-buttons", HTMLDivElement);
  const wallets: Wallet[] = [];
  const review = createReview();
  let tellAccount: (account: WalletAccount | undefined) => void = () => {};
  let tellMined = () => {};
  let account: WalletAccount | undefined;
  let offered: WalletOffer | undefined;
  /** The request that was offered last, as text. */
  let asked = "";
  let at: { readonly step: Step; readonly offer: WalletOffer } | undefined;
  /** The newest block that something of ours was mined in. */
  let since = 0n;
  let busy = false;
  let leave = () => {};

  const tell = (...what: readonly (string | Node)[]) => says.replaceChildren(...what);
  const button = (id: string, label: string, work: () => void, ...before: readonly Node[]) => {
    const made = html("button", { id, type: "button" }, ...before, label);
    made.disabled = busy;
    made.addEventListener("click", work);
    return made;
  };

  /** Runs one step; whatever goes wrong in it is said, and it can be tried again. */
  async function run(work: () => Promise<void>): Promise<void> {
    busy = true;
    failed.textContent = "";
    draw();
    try {
      await work();
    } catch (error) {
      if (!(error instanceof WalletError || error instanceof SwapCallError)) throw error;
      const [problem] = error instanceof SwapCallError ? error.problems : [];
      failed.textContent = problem?.description ?? error.message;
    } finally {
      busy = false;
      draw();
    }
  }

  const open = ({ provider, name }: Wallet) =>
    run(async () => {
      tell(`Waiting for ${name} …`);
      const opened = await connect(provider);
      const onAccounts = (accounts: unknown) => {
        const [first] = Array.isArray(accounts) ? accounts : [];
        if (first === undefined) close();
        else if (String(first).toLowerCase() !== account?.address) void open({ provider, name, icon: undefined });
      };
      leave();
      provider.on?.("accountsChanged", onAccounts);
      leave = () => provider.removeListener?.("accountsChanged", onAccounts);
      account = opened;
      at = undefined;
      tellAccount(opened);
    });

  function close(): void {
    leave();
    leave = () => {};
    account = undefined;
    at = undefined;
    tellAccount(undefined);
    draw();
  }

  const go = (offer: WalletOffer, from: WalletAccount) =>
    run(async () => {
      const request = asked;
      const sold = (amount: string) => amountIn(offer.sell, BigInt(amount));
      const prepare = () => prepareSwap(offer, from, since, tell, sold);
      let step = at?.step.kind === "approve" ? await at.step.approve() : await prepare();
      while (step.kind === "quoted") {
        tell("Waiting for your confirmation …");
        const decision = await review.ask(step.quote, offer.request, offer);
        if (decision === "cancel") {
          at = undefined;
          return;
        }
        step = decision === "swap" ? await step.send() : await prepare();
      }
      if (step.kind !== "approve") {
        since = step.blockNumber;
        tellMined();
      }
      // Something else is on the page by now: what was swapped is told, what was only asked is of no use.
      at = request === asked || step.kind === "swapped" ? { step, offer } : undefined;
    });

  function draw(): void {
    buttons.replaceChildren(...buttonsNow());
    if (!busy) tell(...wordsNow());
  }

  function buttonsNow(): readonly HTMLElement[] {
    const from = account;
    if (from === undefined) {
      return wallets.map((wallet, index) => {
        const picture = wallet.icon === undefined ? [] : [html("img", { src: wallet.icon, alt: "" })];
        return button(`wallet-${index}`, `Connect ${wallet.name}`, () => void open(wallet), ...picture);
      });
    }
    const offer = offered;
    const parting = button("wallet-leave", "Disconnect", close);
    if (offer === undefined) return [parting];
    const { sell } = offer;
    const label =
      at?.step.kind === "approve"
        ? `Approve ${readableAtMost(BigInt(at.step.quote.maxSellAmount), sell.decimals)} ${sell.symbol}`
        : `Swap ${sell.symbol}${at?.step.kind === "swapped" ? " again" : ""}`;
    const main = button("wallet-go", label, () => void go(offer, from));
    main.className = "main";
    return [main, parting];
  }

  function wordsNow(): readonly (string | Node)[] {
    if (account === undefined) {
      return wallets.length === 0
        ? ["No wallet is in this browser. The requests below can be copied and sent from elsewhere."]
        : ["A wallet sends the transaction exactly as it was quoted."];
    }
    if (at === undefined) return [`Connected: ${account.address}`];
    const { step, offer } = at;
    switch (step.kind) {
      case "approve": {
        const allowed = amountIn(offer.sell, BigInt(step.quote.issues?.allowance?.actual ?? "0"));
        const spender = step.quote.allowanceTarget;
        return [
          `Allowed so far: ${allowed}. Approve what is sold and no more, for ${spender}: it can move that in transactions of yours only.`,
        ];
      }
      case "approved":
        return ["Approved. The swap itself is next."];
      case "quoted":
        return ["Quoted. Nothing was sent."];
      case "swapped": {
        const { received, blockNumber, hash } = step;
        // The native token leaves no log of its transfers.
        const got = received > 0n ? `received ${toDecimal(received, offer.buy.decimals)} ${offer.buy.symbol}` : "done";
        const link = explorerLink(offer.network, "tx", hash);
        const transaction =
          link === undefined ? hash : html("a", { href: link, target: "_blank", rel: "noreferrer" }, hash);
        return [`Swapped: ${got} in block ${blockNumber}, transaction `, transaction, "."];
      }
    }
  }

  discoverWallets((wallet) => {
    wallets.push(wallet);
    draw();
  });
  draw();
  return {
    offer(offer) {
      const request = offer === undefined ? asked : JSON.stringify(offer.request, plain);
      const isSame = request === asked && (offer === undefined) === (offered === undefined);
      const isOther = request !== asked;
      offered = offer;
      asked = request;
      if (offer !== undefined) review.priced(offer.price);
      // Buttons stay as they are from block to block: somebody may be about to press one.
      if (busy || isSame) return;
      if (isOther) {
        at = undefined;
        failed.textContent = "";
      }
      draw();
    },
    onAccount(listener) {
      tellAccount = listener;
      if (account !== undefined) listener(account);
    },
    onMined(listener) {
      tellMined = listener;
    },
  };
}

function amountIn({ decimals, symbol }: Token, units: bigint): string {
  return `${readable(units, decimals)} ${symbol}`;
}

function plain(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}
