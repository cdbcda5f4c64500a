import { byId } from "./dom.ts";

/** Parts of the answer's card; exactly one is shown. */
type View = "empty" | "loading" | "price" | "refusal";

export function show(view: View, says?: string): void {
  document.body.dataset.view = view;
  if (says !== undefined) byId("empty", HTMLParagraphElement).textContent = says;
}

/** Whether what changes in the answer's card is read out. */
export function announce(reads: boolean): void {
  byId("answer", HTMLElement).setAttribute("aria-live", reads ? "polite" : "off");
}

/** Calls `left` when somebody has the key forgotten. */
export function onLeave(left: () => void): void {
  byId("leave", HTMLButtonElement).onclick = left;
}
