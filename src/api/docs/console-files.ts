import { readFileSync } from "node:fs";
import type { PageMaker } from "./page.ts";

/** A file of the folder `console`, its content type, and how long browsers may keep it. */
export type StaticFile = readonly [name: string, contentType: string, cacheControl?: string];

const HTML = "text/html; charset=utf-8";
const CSS = "text/css; charset=utf-8";
const SCRIPT = "text/javascript; charset=utf-8";

/** The console's files by path. They hold no key. */
export const CONSOLE_FILES: Readonly<Record<string, StaticFile>> = {
  "/": ["index.html", HTML],
  "/console.css": ["console.css", CSS],
  "/console.js": ["dist/console.js", SCRIPT],
};

/** The files that the page of the API's reference loads. */
export const DOCS_FILES: Readonly<Record<string, StaticFile>> = {
  "/docs/docs.css": ["docs.css", CSS],
  "/docs/docs.js": ["dist/docs.js", SCRIPT],
  "/docs/viewer.js": ["dist/viewer.js", SCRIPT, "public, max-age=3600"],
};

/** A file as it is served, read once. @throws Error when the installation lacks it */
export function staticFile([name, contentType, cacheControl]: StaticFile): PageMaker {
  const body = readFileSync(new URL(`../../../console/${name}`, import.meta.url));
  const page = { status: 200, contentType, body, ...(cacheControl !== undefined && { cacheControl }) };
  return () => page;
}
