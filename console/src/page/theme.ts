import { byId } from "./dom.ts";

/** Light or dark: what was chosen here last, else what the browser prefers. */
export function followTheme(): void {
  const button = byId("theme", HTMLButtonElement);
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const set = (theme: string) => {
    document.documentElement.style.colorScheme = theme;
    button.setAttribute("aria-pressed", String(theme === "dark"));
  };
  set(localStorage.getItem("theme") ?? (dark.matches ? "dark" : "light"));
  button.onclick = () => {
    const next = document.documentElement.style.colorScheme === "dark" ? "light" : "dark";
    localStorage.setItem("theme", next);
    set(next);
  };
}
