/** A page for people that loads nothing from anywhere. `links` stand beside it, `body` is HTML. */
export function htmlPage(page: { readonly title: string; readonly links: readonly string[]; readonly body: string }) {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${page.title}</title>
<style>${STYLE}</style>
</head>
<body>
<nav aria-label="Contents">${page.links.join("")}</nav>
<main>
<h1>${page.title}</h1>
${page.body}
</main>
</body>
</html>
`;
}

export function htmlTable(head: readonly string[], rows: readonly string[]): string {
  const cells = head.map((cell) => `<th scope="col">${cell}</th>`).join("");
  return `<div class="wide"><table><thead><tr>${cells}</tr></thead><tbody>${rows.join("")}</tbody></table></div>`;
}

/** Text with empty lines between its paragraphs and backticks around code. */
export function paragraphs(text: string): string {
  return text
    .split("\n\n")
    .filter((part) => part !== "")
    .map((part) => `<p>${withCode(part)}</p>`)
    .join("");
}

/** Text with backticks around code. */
export function withCode(text: string): string {
  return htmlText(text).replace(/`([^`]+)`/g, "<code>$1</code>");
}

export function htmlText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d8dde3, #2b333d); --soft: light-dark(#f4f6f8, #161b22); }
* { box-sizing: border-box; }
body { margin: 0; font: 15px/1.5 system-ui, sans-serif; display: grid; grid-template-columns: 15rem minmax(0, 1fr); }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 1rem; border-right: 1px solid var(--line); display: flex; flex-direction: column; gap: .25rem; }
main { padding: 1rem 2rem 4rem; max-width: 70rem; }
a { color: light-dark(#0b5cad, #79b8ff); text-decoration: none; } a:hover { text-decoration: underline; }
h2 { margin-top: 3rem; } h2, p, nav a { overflow-wrap: anywhere; } small { color: light-dark(#57606a, #9aa4af); font-weight: normal; }
p { margin: .25rem 0; } code, pre { font: 13px/1.45 ui-monospace, monospace; }
pre { background: var(--soft); padding: .75rem; overflow: auto; border-radius: 6px; }
.wide { overflow-x: auto; margin: 1rem 0; } table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .4rem .6rem; border-bottom: 1px solid var(--line); }
@media (max-width: 50rem) { body { display: block; } nav { position: static; height: auto; border: 0; } main { padding: 1rem; } }
`;
