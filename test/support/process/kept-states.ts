import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** Folder for states of chains that all files of one run start from. */
    readonly keptStates: string;
  }
}

/** Makes the folder before a run of vitest and removes it at the end. */
export function setup({ provide }: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), "kept-states-"));
  provide("keptStates", folder);
  return () => rmSync(folder, { recursive: true });
}
