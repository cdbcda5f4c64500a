import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";

const FOLDER = fileURLToPath(new URL("../../../.cache/console", import.meta.url));

/** Keeps a picture of a page in .cache/console in a long run: each takes a second of a core, and nothing looks at it but people. */
export async function takePicture(page: Page, name: string, fullPage = true): Promise<void> {
  if (process.env.TRIBUTARY_LONG === undefined) return;
  await page.screenshot({ path: join(FOLDER, `${name}.png`), fullPage });
}
