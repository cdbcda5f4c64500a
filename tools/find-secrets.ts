import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A log line that says what it must not. */
export interface Leak {
  readonly line: string;
  readonly what: string;
}

/** Patterns that no log line may contain: URLs of nodes have keys in them, and the others are keys that we make. */
const NEVER: readonly (readonly [string, RegExp])[] = [
  ["a URL", /\b(?:https?|wss?):\/\/[^\s"]/i],
  ["a key", /\btrb_[\w-]{16,}/],
  ["a bearer token", /\bbearer [\w-]{8,}/i],
];

/** A constant of a test that is a key, or what keys are made with; private keys are in tests as well. */
const KEY_CONSTANTS = /\b(?:\w*KEY|\w*PEPPER|PAYER|PAUPER|apiKey)\b\s*[:=]\s*"([^"$]{8,})"/g;

/** Lines of a log that hold a URL, a key of ours, or one of the given secrets. */
export function findSecrets(lines: readonly string[], secrets: readonly string[]): readonly Leak[] {
  return lines.flatMap((line) => {
    const shape = NEVER.find(([, form]) => form.test(line));
    if (shape !== undefined) return [{ line, what: shape[0] }];
    const known = secrets.find((secret) => secret !== "" && line.includes(secret));
    return known === undefined ? [] : [{ line, what: `the secret ${known.slice(0, 3)}…` }];
  });
}

/** The keys that tests work with, from their sources. */
export function secretsOfTests(folder: string): readonly string[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  const found = files.flatMap((file) => [...readFileSync(join(folder, file), "utf8").matchAll(KEY_CONSTANTS)]);
  return [...new Set(found.map(([, secret]) => secret as string))];
}

/** All lines that a run of the tests has left, with the secrets that its programs were started with. */
export function readTestLogs(folder: string): {
  readonly lines: readonly string[];
  readonly secrets: readonly string[];
} {
  const read = (ending: string) =>
    readdirSync(folder)
      .filter((file) => file.endsWith(ending))
      .flatMap((file) => readFileSync(join(folder, file), "utf8").split("\n"))
      .filter((line) => line !== "");
  return { lines: read(".log"), secrets: read(".secrets") };
}
