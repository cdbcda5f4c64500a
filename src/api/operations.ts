import { VERSION } from "../ops/version.ts";
import type { Quoting } from "../quoting/answers.ts";
import { readConsoleFiles } from "./docs/console-files.ts";
import { docsPage } from "./docs/docs-page.ts";
import { apiDocument } from "./docs/document.ts";
import { errorsPage } from "./docs/errors-page.ts";
import { llmsText } from "./docs/llms-text.ts";
import type { Page } from "./http/page.ts";

/** Whether the service can answer, and if not why. */
export type Readiness = () => { readonly ready: boolean; readonly reason?: string };

/** A page that stays as it is, made when it is first asked for: it is there once, however many readers take their time over it. */
function kept(make: () => Page): () => Page {
  let made: Page | undefined;
  return () => {
    if (made === undefined) {
      const page = make();
      made = { ...page, body: Buffer.from(page.body) };
    }
    return made;
  };
}

/** What tells whoever runs the service whether it lives, and whether it can answer. */
export function probePages(readiness: Readiness): Readonly<Record<"/livez" | "/readyz", () => Page>> {
  return {
    "/livez": () => json(200, { live: true }),
    "/readyz": () => {
      const { ready, reason } = readiness();
      return json(ready ? 200 : 503, { ready, ...(reason !== undefined && { reason }) });
    },
  };
}

/** The paths that need no key. */
export function createOperations(options: {
  readonly chainId: number;
  /** Whether the API's description is served. What refusals link to always is. */
  readonly docs: boolean;
  readonly quoting: Quoting;
  readonly readiness: Readiness;
  /** How the following of the chain stands, for /status. */
  chainStatus?(): unknown;
  /** The token list, in the schema of tokenlists.org. */
  readonly tokens: unknown;
}): { find(path: string): (() => Page) | undefined } {
  const { chainId, quoting, readiness } = options;
  const files = Object.entries(readConsoleFiles()).map(([path, file]) => [path, () => ({ status: 200, ...file })]);
  const pages: Readonly<Record<string, () => Page>> = {
    ...Object.fromEntries(files),
    ...probePages(readiness),
    "/status": () => {
      const { ready, reason } = readiness();
      return json(200, {
        ready,
        reason: reason ?? null,
        version: VERSION,
        chainId,
        sources: quoting.listSources(),
        chain: options.chainStatus?.(),
      });
    },
    "/tokens.json": kept(() => json(200, options.tokens)),
    ...(options.docs && {
      "/openapi.json": kept(() => json(200, apiDocument)),
      "/docs": kept(() => html(docsPage(apiDocument))),
      "/llms.txt": kept(() => ({ status: 200, contentType: "text/plain; charset=utf-8", body: llmsText(apiDocument) })),
    }),
    "/docs/errors": kept(() => html(errorsPage())),
  };
  return { find: (path) => (Object.hasOwn(pages, path) ? pages[path] : undefined) };
}

function html(body: string): Page {
  return { status: 200, contentType: "text/html; charset=utf-8", body };
}

function json(status: number, value: unknown): Page {
  const body = JSON.stringify(value, (_, field: unknown) => (typeof field === "bigint" ? field.toString() : field));
  return { status, contentType: "application/json", body };
}
