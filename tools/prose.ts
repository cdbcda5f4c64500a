/**
 * Reads the documentation for what its readers stumble over: long sentences, openings that delay the subject, private
 * words, and links that lead nowhere. Reads comments for openings that do not name the thing. Prints a line for each, and
 * ends with 1 if there is any.
 *
 *   node tools/prose.ts              all pages, and all comments
 *   node tools/prose.ts README.md    these
 */
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { readComments } from "./docs/comments.ts";
import { anchorsOf, linksOf, readProse, type Stumble } from "./docs/prose.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
/** Sources whose comments are read. */
const SOURCES = ["src", "console/src", "fixtures", "tools", "bench", "test"].map((folder) => `${folder}/**/*.ts`);
const read = (page: string) => readFileSync(join(root, page), "utf8");

/** Links to files and headings of the project that are not there. */
function deadLinks(page: string): readonly Stumble[] {
  return linksOf(read(page)).flatMap((link): Stumble[] => {
    if (/^[a-z]+:/.test(link)) return [];
    const [path = "", anchor] = link.split("#");
    const target = path === "" ? page : normalize(join(dirname(page), decodeURI(path)));
    if (!existsSync(join(root, target))) return [{ page, text: link, complaint: "there is no such file" }];
    const isDead = anchor !== undefined && target.endsWith(".md") && !anchorsOf(read(target)).has(anchor);
    return isDead ? [{ page, text: link, complaint: "there is no such heading" }] : [];
  });
}

const asked = process.argv.slice(2);
const pages = asked.length > 0 ? asked : globSync(["*.md", "docs/**/*.md", "examples/**/*.md"], { cwd: root }).sort();
const sources = asked.length > 0 ? [] : globSync(SOURCES, { cwd: root }).sort();
const stumbles = [
  ...pages.flatMap((page) => [...readProse(page, read(page)), ...deadLinks(page)]),
  ...sources.flatMap((path) => readComments(path, read(path))),
];
for (const { page, text, complaint } of stumbles) console.error(`${page}: ${complaint}: ${text}`);
if (stumbles.length === 0) console.log(`${pages.length} pages and ${sources.length} sources read`);
process.exitCode = stumbles.length === 0 ? 0 : 1;
