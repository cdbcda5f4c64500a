import { byId } from "./dom.ts";

/** Asks for the key; `why` says what was wrong with the last one. */
export function askForKey(why: string): Promise<string> {
  document.body.dataset.view = "key";
  byId("key-why", HTMLParagraphElement).textContent = why;
  const form = byId("key-form", HTMLFormElement);
  const input = byId("key-input", HTMLInputElement);
  input.value = "";
  input.focus();
  return new Promise((resolve) => {
    form.onsubmit = (event) => {
      event.preventDefault();
      if (input.value.trim() !== "") resolve(input.value.trim());
    };
  });
}
