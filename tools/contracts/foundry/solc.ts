#!/usr/bin/env node
/**
 * The compiler that forge runs: npm's solc behind the two arguments that forge passes, `--version` and
 * `--standard-json`. Sources come with the input, so that no path is read.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const solc = createRequire(import.meta.url)("solc") as { compile(input: string): string; version(): string };

const args = process.argv.slice(2);
if (args.includes("--version")) {
  console.log(`solc, the solidity compiler commandline interface\nVersion: ${solc.version()}`);
} else if (args.includes("--standard-json")) {
  process.stdout.write(solc.compile(readFileSync(0, "utf8")));
} else {
  console.error("Send --version, or --standard-json with the input on standard input.");
  process.exitCode = 2;
}
