import { readFileSync, writeFileSync } from "node:fs";

const DOCS = new URL("../docs/routing.md", import.meta.url);

/** Puts a text between the marks that a bench has in docs/routing.md; throws where they are missing. */
export function intoDocs(bench: string, text: string): void {
  const [first, last] = [`<!-- ${bench} -->\n`, `<!-- end of ${bench} -->`];
  const docs = readFileSync(DOCS, "utf8");
  const [from, to] = [docs.indexOf(first), docs.indexOf(last)];
  if (from < 0 || to < from) throw new Error(`docs/routing.md has no marks for ${bench}`);
  writeFileSync(DOCS, docs.slice(0, from) + first + text + docs.slice(to));
}
