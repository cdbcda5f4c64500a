import { referenceOptions } from "./reference-theme.ts";

/** Global that the viewer's script defines. */
interface Viewer {
  init(spec: unknown, options: Readonly<Record<string, unknown>>, place: HTMLElement): void;
}

async function showReference(): Promise<void> {
  const { Redoc } = globalThis as unknown as { readonly Redoc: Viewer };
  const place = document.getElementById("reference");
  if (place === null) return;
  const chosen = localStorage.getItem("theme");
  const isDark = chosen === null ? matchMedia("(prefers-color-scheme: dark)").matches : chosen === "dark";
  document.documentElement.style.colorScheme = isDark ? "dark" : "light";
  const spec: unknown = await (await fetch("/openapi.json")).json();
  Redoc.init(spec, referenceOptions(isDark), place);
}

showReference().catch(() => {
  const place = document.querySelector("#reference p");
  if (place !== null) place.textContent = "The reference could not be loaded. Load the page again.";
});
