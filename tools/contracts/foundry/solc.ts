#!/usr/bin/env node
/**
 * The compiler that forge runs: npm's solc behind the two arguments that forge passes, `--version` and
 * `--standard-json`. Sources come with the input, so that no path is read. forge asks for the version each time it starts:
 * the one that contracts/out was made with is read faster than the compiler, and stands as long as its number is the same.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const load = () => require("solc") as { compile(input: string): string; version(): string };

function versionOf(): string {
  const { version } = require("solc/package.json") as { readonly version: string };
  const { compiler } = require("../../../contracts/out/Gateway.json") as {
    readonly compiler: { readonly version: string };
  };
  return compiler.version.startsWith(`${version}+`) ? compiler.version : load().version();
}

const args = process.argv.slice(2);
if (args.includes("--version")) {
  console.log(`solc, the solidity compiler commandline interface\nVersion: ${versionOf()}`);
} else if (args.includes("--standard-json")) {
  process.stdout.write(load().compile(readFileSync(0, "utf8")));
} else {
  console.error("Send --version, or --standard-json with the input on standard input.");
  process.exitCode = 2;
}
