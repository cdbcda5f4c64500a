import { byId, html } from "./dom.ts";
import type { Token } from "./token.ts";

/** Lets somebody choose one of the tokens, by typing and with the arrow keys; undefined when they think better of it. */
export function pickToken(tokens: readonly Token[]): Promise<Token | undefined> {
  const dialog = byId("picker", HTMLDialogElement);
  const search = byId("picker-search", HTMLInputElement);
  const list = byId("picker-list", HTMLDivElement);
  let shown: readonly Token[] = [];
  let active = 0;

  const show = () => {
    const wanted = search.value.trim().toLowerCase();
    shown = tokens.filter(({ symbol, name, address }) =>
      [symbol, name, address].some((text) => text.toLowerCase().includes(wanted)),
    );
    active = 0;
    list.replaceChildren(
      ...(shown.length === 0
        ? [html("p", { class: "nothing" }, "No token of the service's list is called that.")]
        : shown.map(optionOf)),
    );
    mark();
  };
  const optionOf = (token: Token, index: number) => {
    const { symbol, name, address } = token;
    const option = html(
      "div",
      { role: "option", id: `option-${index}`, "data-address": address },
      html("b", {}, symbol),
      html("span", {}, name),
      html("code", {}, `${address.slice(0, 8)}…${address.slice(-4)}`),
    );
    option.addEventListener("click", () => dialog.close(address));
    return option;
  };
  const mark = () => {
    for (const [index, option] of [...list.children].entries()) {
      option.setAttribute("aria-selected", String(index === active));
      if (index === active) option.scrollIntoView({ block: "nearest" });
    }
    search.setAttribute("aria-activedescendant", `option-${active}`);
  };
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) active = Math.min(Math.max(active + step, 0), shown.length - 1);
    else if (event.key === "Enter") dialog.close(shown[active]?.address ?? "");
    else return;
    event.preventDefault();
    mark();
  };

  search.value = "";
  search.addEventListener("input", show);
  search.addEventListener("keydown", onKey);
  show();
  dialog.returnValue = "";
  dialog.showModal();
  search.focus();
  return new Promise((resolve) => {
    dialog.addEventListener(
      "close",
      () => {
        search.removeEventListener("input", show);
        search.removeEventListener("keydown", onKey);
        resolve(tokens.find(({ address }) => address === dialog.returnValue));
      },
      { once: true },
    );
  });
}
