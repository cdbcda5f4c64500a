import { readFileSync } from "node:fs";
import { UsageError } from "../command.ts";

/** What a file of JSON holds. @throws UsageError when it cannot be read, or is none */
export function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new UsageError(`${file}: ${error instanceof Error ? error.message : error}`);
  }
}
