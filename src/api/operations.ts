import type { Network } from "../domain/network.ts";
import type { TokenList } from "../domain/token-list.ts";
import { VERSION } from "../ops/version.ts";
import type { Quoting } from "../quoting/answer/types.ts";
import { CONSOLE_FILES, DOCS_FILES, type StaticFile, staticFile } from "./docs/console-files.ts";
import { docsPage } from "./docs/docs-page.ts";
import type { ApiDocument } from "./docs/document.ts";
import { errorsPage } from "./docs/errors-page.ts";
import { llmsText } from "./docs/llms-text.ts";
import { jsonPage, keptPage, type Page, type PageMaker } from "./docs/page.ts";
import { serviceDocument } from "./docs/service-document.ts";
import { probePages, type Readiness } from "./http/probes.ts";

/** The paths that need no key. @throws Error when the installation lacks a file */
export function createOperations(options: {
  readonly network: Network;
  /** Whether the API's description is served. What refusals link to always is. */
  readonly docs: boolean;
  readonly quoting: Quoting;
  readonly readiness: Readiness;
  /** State of the chain's follower, for /status. */
  chainStatus?(): unknown;
  /** The token list, the same object as long as nothing changed. */
  tokens(): TokenList;
}): { find(path: string): PageMaker | undefined } {
  const { network, quoting, readiness, tokens } = options;
  const { chainId, name, native, wrappedNative, explorer, usdToken } = network;
  const ofDocument = (make: (document: ApiDocument) => Page & { readonly body: string }) =>
    keptWhile(tokens, (list) => {
      const sources = quoting.listSources().map((source) => source.name);
      return make(serviceDocument({ network, tokens: list, sources }));
    });
  const pages: Readonly<Record<string, PageMaker>> = {
    ...filePages(CONSOLE_FILES),
    ...probePages(readiness),
    "/status": () => {
      const { ready, reason } = readiness();
      return jsonPage(200, {
        ready,
        reason: reason ?? null,
        version: VERSION,
        chainId,
        network: { name, native, wrappedNative, explorer, usdToken },
        sources: quoting.listSources(),
        chain: options.chainStatus?.(),
      });
    },
    "/tokens.json": keptWhile(tokens, (list) => jsonPage(200, list)),
    ...(options.docs && {
      ...filePages(DOCS_FILES),
      "/openapi.json": ofDocument((document) => jsonPage(200, document)),
      "/docs": ofDocument((document) => html(docsPage(document))),
      "/llms.txt": ofDocument((document) => ({
        status: 200,
        contentType: "text/plain; charset=utf-8",
        body: llmsText(document, tokens()),
      })),
    }),
    "/docs/errors": keptPage(() => html(errorsPage())),
  };
  return { find: (path) => (Object.hasOwn(pages, path) ? pages[path] : undefined) };
}

/** A page that is made anew when what it shows is another object. */
function keptWhile<Shown extends object>(
  shown: () => Shown,
  make: (shown: Shown) => Page & { readonly body: string },
): PageMaker {
  let last: Shown | undefined;
  let page: PageMaker | undefined;
  return (origin) => {
    const now = shown();
    if (page === undefined || now !== last) page = keptPage(() => make(now));
    last = now;
    return page(origin);
  };
}

function filePages(files: Readonly<Record<string, StaticFile>>): Readonly<Record<string, PageMaker>> {
  return Object.fromEntries(Object.entries(files).map(([path, file]) => [path, staticFile(file)]));
}

function html(body: string) {
  return { status: 200, contentType: "text/html; charset=utf-8", body };
}
