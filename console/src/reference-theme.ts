/** Colours of the console and of the site, which the viewer of the reference (Redoc) cannot read from a style sheet. */
const LIGHT = { text: "#16211f", dim: "#56676a", soft: "#eef2f3", card: "#ffffff", line: "#d9e0e2", accent: "#0b6f7c" };
const DARK = { text: "#e6eeee", dim: "#93a5a8", soft: "#222b2f", card: "#181f22", line: "#2c373b", accent: "#46c2cf" };

/** Options of the viewer, for a light or a dark page. */
export function referenceOptions(isDark: boolean): Readonly<Record<string, unknown>> {
  const { text, dim, soft, card, line, accent } = isDark ? DARK : LIGHT;
  const theme = {
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
  return { theme, disableSearch: true, hideDownloadButton: true, nativeScrollbars: true };
}
