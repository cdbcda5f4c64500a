import type { ApiDocument } from "./document.ts";
import { htmlText } from "./html-page.ts";
import { ORIGIN } from "./page.ts";

/**
 * The reference as a page: the viewer (Redoc) reads openapi.json, and both come from this service. Without scripts the page
 * says where the same stands as text.
 */
export function docsPage({ info, servers: [server] }: ApiDocument): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
<title>${htmlText(info.title)} API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/docs.css">
<script src="/docs/viewer.js" defer></script>
<script src="/docs/docs.js" defer></script>
</head>
<body>
<header>
<b>${htmlText(info.title)} API</b>
<span>${htmlText(server?.description ?? "")} at ${ORIGIN}</span>
<nav aria-label="Pages"><a href="/">Console</a><a href="/docs/errors">Errors</a><a href="/openapi.json">openapi.json</a><a href="/llms.txt">llms.txt</a></nav>
</header>
<main id="reference"><p>The reference is loading. It is also there as <a href="/openapi.json">OpenAPI</a> and as <a href="/llms.txt">text</a>.</p></main>
</body>
</html>
`;
}
