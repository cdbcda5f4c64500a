import type { Network } from "../../../src/domain/network.ts";
import { byId, html } from "../page/dom.ts";
import { explorerLink } from "../page/served.ts";
import type { Token } from "../token.ts";
import { isAddress, type TokenImports } from "./token-import.ts";

/** Typing pauses of this length ask the service. */
const TYPING_MS = 250;
const UNLISTED = "No token of the service's list is called that. Paste an address to import one.";

/** Tokens to choose from. */
export interface TokenShelf {
  readonly network: Network;
  readonly listed: readonly Token[];
  readonly imports: TokenImports;
}

/**
 * Lets somebody choose one of the tokens, by typing and with the arrow keys, or import one by its address; undefined when
 * they think better of it. `wanted`: an address to begin with.
 */
export function pickToken({ network, listed, imports }: TokenShelf, wanted = ""): Promise<Token | undefined> {
  const dialog = byId("picker", HTMLDialogElement);
  const search = byId("picker-search", HTMLInputElement);
  const list = byId("picker-list", HTMLDivElement);
  const importing = byId("picker-import", HTMLDivElement);
  const tokens = [...listed, ...imports.kept().filter(({ address }) => !listed.some((it) => it.address === address))];
  let shown: readonly Token[] = [];
  let active = 0;
  let typing: ReturnType<typeof setTimeout> | undefined;
  let chosen: Token | undefined;

  const choose = (token: Token) => {
    if (!tokens.includes(token)) {
      importing.replaceChildren(...importOf(token, network, keep));
      return;
    }
    chosen = token;
    dialog.close();
  };
  const show = () => {
    const text = search.value.trim().toLowerCase();
    shown = tokens.filter(({ symbol, name, address }) =>
      [symbol, name, address].some((part) => part.toLowerCase().includes(text)),
    );
    active = 0;
    list.replaceChildren(...shown.map(optionOf));
    importing.replaceChildren();
    if (shown.length > 0) mark();
    else if (isAddress(text)) void offerImport(text);
    else importing.append(html("p", { class: "nothing" }, UNLISTED));
    clearTimeout(typing);
    if (!isAddress(text)) typing = setTimeout(() => void showOthers(text), TYPING_MS);
  };
  /** Adds what the market has beside the list. */
  const showOthers = async (text: string) => {
    const found = await imports.search(text).catch(() => []);
    if (!dialog.open || search.value.trim().toLowerCase() !== text) return;
    const others = found.filter(({ address }) => !tokens.some((token) => token.address === address));
    if (others.length === 0) return;
    shown = [...shown, ...others];
    list.replaceChildren(...shown.map(optionOf));
    importing.replaceChildren();
    mark();
  };
  const optionOf = (token: Token, index: number) => {
    const { symbol, name, address } = token;
    const option = html(
      "div",
      { role: "option", id: `option-${index}`, "data-address": address },
      html("b", {}, symbol),
      html("span", {}, !tokens.includes(token) ? "not listed" : token.imported ? "imported" : name),
      html("code", {}, `${address.slice(0, 8)}…${address.slice(-4)}`),
    );
    option.addEventListener("click", () => choose(token));
    return option;
  };
  const mark = () => {
    for (const [index, option] of [...list.children].entries()) {
      option.setAttribute("aria-selected", String(index === active));
      if (index === active) option.scrollIntoView({ block: "nearest" });
    }
    search.setAttribute("aria-activedescendant", `option-${active}`);
  };
  const offerImport = async (text: string) => {
    importing.replaceChildren(html("p", { class: "nothing" }, "Asking the service about this address …"));
    const found = await imports.find(search.value).catch(() => "The service cannot be reached. Try again.");
    // Something else was typed meanwhile.
    if (search.value.trim().toLowerCase() !== text) return;
    importing.replaceChildren(
      ...(typeof found === "string" ? [html("p", { class: "bad" }, found)] : importOf(found, network, keep)),
    );
  };
  const keep = (token: Token) => {
    imports.keep(token);
    tokens.push(token);
    choose(token);
  };
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) active = Math.min(Math.max(active + step, 0), shown.length - 1);
    else if (event.key === "Enter") {
      const token = shown[active];
      if (token !== undefined) choose(token);
    } else if (event.key === "Escape") {
      // A search field would take the first one for itself.
      dialog.close();
    } else return;
    event.preventDefault();
    mark();
  };

  search.value = wanted;
  search.addEventListener("input", show);
  search.addEventListener("keydown", onKey);
  dialog.showModal();
  show();
  search.focus();
  return new Promise((resolve) => {
    dialog.addEventListener(
      "close",
      () => {
        clearTimeout(typing);
        search.removeEventListener("input", show);
        search.removeEventListener("keydown", onKey);
        resolve(chosen);
      },
      { once: true },
    );
  });
}

/** A token that is about to be imported: what it says of itself, a warning, and a button. */
function importOf(token: Token, network: Network, keep: (token: Token) => void): readonly HTMLElement[] {
  const { symbol, decimals, address } = token;
  const link = explorerLink(network, "token", address);
  const button = html("button", { type: "button", class: "main" }, `Import ${symbol}`);
  button.addEventListener("click", () => keep(token));
  return [
    html("p", {}, html("b", {}, symbol), ` · ${decimals} decimals · `, html("code", {}, address)),
    html(
      "p",
      { class: "warn" },
      "This token is not on the service's list. Anybody can make a token with any name. Import it only if you know this address.",
    ),
    ...(link === undefined
      ? []
      : [html("p", {}, html("a", { href: link, target: "_blank", rel: "noreferrer" }, "Look it up in the explorer"))]),
    button,
  ];
}
