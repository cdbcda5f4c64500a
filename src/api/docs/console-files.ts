import { readFileSync } from "node:fs";

/** A file of the console, as it is served. */
export interface ConsoleFile {
  readonly contentType: string;
  readonly body: Uint8Array;
}

const FILES = {
  "/": ["index.html", "text/html; charset=utf-8"],
  "/console.css": ["console.css", "text/css; charset=utf-8"],
  "/console.js": ["dist/console.js", "text/javascript; charset=utf-8"],
} as const;

/** The console's files by path, read once. They hold no key. @throws Error when the installation lacks one */
export function readConsoleFiles(): Readonly<Record<string, ConsoleFile>> {
  const read = (name: string) => readFileSync(new URL(`../../../console/${name}`, import.meta.url));
  return Object.fromEntries(
    Object.entries(FILES).map(([path, [name, contentType]]) => [path, { contentType, body: read(name) }]),
  );
}
