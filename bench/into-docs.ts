import { readFileSync, writeFileSync } from "node:fs";

/** Puts a text between the marks that a bench has in a page of docs; throws where they are missing. */
export function intoDocs(page: string, bench: string, text: string): void {
  const path = new URL(`../docs/${page}`, import.meta.url);
  const [first, last] = [`<!-- ${bench} -->\n`, `<!-- end of ${bench} -->`];
  const docs = readFileSync(path, "utf8");
  const [from, to] = [docs.indexOf(first), docs.indexOf(last)];
  if (from < 0 || to < from) throw new Error(`docs/${page} has no marks for ${bench}`);
  writeFileSync(path, docs.slice(0, from) + first + text + docs.slice(to));
}
