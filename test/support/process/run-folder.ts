import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";

const cache = fileURLToPath(new URL("../../../.cache", import.meta.url));

declare module "vitest" {
  interface ProvidedContext {
    /** Folder for what all files of one run share: states of chains, and the service as it is published. */
    readonly runFolder: string;
  }
}

/** Makes the folder before a run of vitest and removes it at the end. Packages are found from it as from the clone. */
export function setup({ provide }: TestProject): () => void {
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "run-"));
  provide("runFolder", folder);
  return () => rmSync(folder, { recursive: true });
}
