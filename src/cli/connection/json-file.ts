import { readFileSync } from "node:fs";
import { UsageError } from "../command.ts";

/** Reads a JSON file. @throws UsageError if it cannot be read, or is not JSON */
export function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new UsageError(`${file}: ${error instanceof Error ? error.message : error}`);
  }
}
