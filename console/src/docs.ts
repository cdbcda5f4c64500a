/** Global that the viewer's script defines. */
interface Viewer {
  init(spec: unknown, options: Readonly<Record<string, unknown>>, place: HTMLElement): void;
}

/** Colours of the console, which the viewer cannot read from its style sheet. */
const LIGHT = { text: "#16211f", dim: "#56676a", soft: "#eef2f3", card: "#ffffff", line: "#d9e0e2", accent: "#0b6f7c" };
const DARK = { text: "#e6eeee", dim: "#93a5a8", soft: "#222b2f", card: "#181f22", line: "#2c373b", accent: "#46c2cf" };

function themeOf(colours: typeof LIGHT) {
  const { text, dim, soft, card, line, accent } = colours;
  return {
    colors: {
      primary: { main: accent },
      text: { primary: text, secondary: dim },
      border: { dark: line, light: line },
      http: { get: accent },
    },
    typography: {
      fontSize: "15px",
      fontFamily: "system-ui, sans-serif",
      headings: { fontFamily: "system-ui, sans-serif", fontWeight: "600" },
      code: { fontFamily: "ui-monospace, monospace", fontSize: "13px", color: accent, backgroundColor: soft },
      links: { color: accent },
    },
    schema: { nestedBackground: soft, typeNameColor: dim, typeTitleColor: dim, linesColor: line },
    sidebar: { backgroundColor: soft, textColor: text, activeTextColor: accent },
    rightPanel: { backgroundColor: "#0f1416" },
    fab: { backgroundColor: card, color: accent },
  };
}

async function showReference(): Promise<void> {
  const { Redoc } = globalThis as unknown as { readonly Redoc: Viewer };
  const place = document.getElementById("reference");
  if (place === null) return;
  const chosen = localStorage.getItem("theme");
  const isDark = chosen === null ? matchMedia("(prefers-color-scheme: dark)").matches : chosen === "dark";
  document.documentElement.style.colorScheme = isDark ? "dark" : "light";
  const spec: unknown = await (await fetch("/openapi.json")).json();
  const options = {
    theme: themeOf(isDark ? DARK : LIGHT),
    disableSearch: true,
    hideDownloadButton: true,
    nativeScrollbars: true,
  };
  Redoc.init(spec, options, place);
}

showReference().catch(() => {
  const place = document.querySelector("#reference p");
  if (place !== null) place.textContent = "The reference could not be loaded. Load the page again.";
});
