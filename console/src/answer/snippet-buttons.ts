import type { SwapRequest } from "../../../src/client/index.ts";
import { byId, html } from "../page/dom.ts";
import { SNIPPETS } from "./snippets.ts";

/** Offers the request as text to copy. */
export function showSnippets(request: SwapRequest): void {
  byId("snippets", HTMLDivElement).replaceChildren(
    ...Object.entries(SNIPPETS).map(([name, write]) => {
      const text = write(request, location.origin);
      const button = html("button", { type: "button", "data-snippet": name, title: text }, `Copy ${name}`);
      button.addEventListener("click", async () => {
        const done = await navigator.clipboard.writeText(text).then(
          () => "Copied",
          () => "Copying is not allowed here",
        );
        button.textContent = done;
        setTimeout(() => (button.textContent = `Copy ${name}`), 1_500);
      });
      return button;
    }),
  );
}
