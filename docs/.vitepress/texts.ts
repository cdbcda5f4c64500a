import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { lexer, type Tokens } from "marked";
import { OPENAPI, pagesOf, sitePath, TASKS } from "./pages.ts";

/** Where a site is written, and what it is called. */
interface Site {
  /** Folder of the repository. */
  readonly root: string;
  readonly outDir: string;
  /** Address of the site, or its path. */
  readonly base: string;
  readonly title: string;
  /** The product in a sentence. */
  readonly about: string;
}

const sentences = new Intl.Segmenter("en", { granularity: "sentence" });

/** First sentence of a page, without marks. */
export function summaryOf(markdown: string): string {
  const { text = "" } = (lexer(markdown).find(({ type }) => type === "paragraph") ?? {}) as Partial<Tokens.Paragraph>;
  const plain = text
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[`*]/g, "")
    .replace(/\s+/g, " ");
  const [first] = sentences.segment(plain);
  return (first?.segment ?? "").trim().replace(/:$/, ".");
}

/**
 * Writes the site for programs that read: each page as Markdown, `openapi.json`, `llms.txt` with a line for each page
 * (llmstxt.org), and `llms-full.txt` with all of them.
 */
export function writeTexts({ root, outDir, base, title, about }: Site): void {
  const read = (page: string) => readFileSync(join(root, page), "utf8");
  const sections = TASKS.map((task) => {
    const lines = pagesOf(task).map(
      ([text, page]) => `- [${text}](${base}${sitePath(page)}): ${summaryOf(read(page))}`,
    );
    return `## ${task.title}\n\n${task.about}\n\n${lines.join("\n")}`;
  });
  const pages = TASKS.flatMap(pagesOf).map(([, page]) => page);
  for (const page of pages) {
    const target = join(outDir, sitePath(page));
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(join(root, page), target);
  }
  copyFileSync(join(root, OPENAPI), join(outDir, "openapi.json"));
  writeFileSync(
    join(outDir, "llms.txt"),
    `# ${title}\n\n> ${about}\n\n${sections.join("\n\n")}\n\n## API\n\n- [OpenAPI](${base}openapi.json)\n`,
  );
  const whole = pages.map((page) => `<!-- ${base}${sitePath(page)} -->\n\n${read(page).trim()}\n`);
  writeFileSync(join(outDir, "llms-full.txt"), whole.join("\n"));
}
