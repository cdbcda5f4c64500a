#!/usr/bin/env node
// The one file that an older Node has to understand: it finds a Node that runs the program, or says what is missing.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";

const OLDEST_NODE = 24;
const PROGRAM = new URL("../src/cli/main.ts", import.meta.url);

/** Whether this Node runs TypeScript as it is, and has the SQLite that keys are kept in. */
function isNewEnough() {
  return Number(process.versions.node.split(".")[0]) >= OLDEST_NODE;
}

/** The Node that `npm ci` brings along for this platform, if it did. */
function ownNode() {
  const platform = process.platform === "win32" ? "win" : process.platform;
  const name = `node-${platform}-${process.arch}`;
  try {
    const require = createRequire(import.meta.url);
    const { bin } = require(`${name}/package.json`);
    return require.resolve(`${name}/${bin.node}`);
  } catch {
    return undefined;
  }
}

/** Runs the program on another Node, which gets our signals, and ends as it ends. */
function runOn(node) {
  const child = spawn(node, [fileURLToPath(PROGRAM), ...process.argv.slice(2)], { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => fail(error.message));
  child.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

/** @returns {Promise<void> | void} */
function start() {
  if (PROGRAM.pathname.includes("/node_modules/")) {
    fail("Tributary runs from a clone of its repository, not from node_modules: run npm ci and npm link in the clone.");
  }
  if (isNewEnough()) return import(PROGRAM.href);
  const node = ownNode();
  if (node !== undefined) return runOn(node);
  fail(
    `Tributary needs Node ${OLDEST_NODE} and this is ${process.version}: install Node ${OLDEST_NODE}, or run npm ci without --omit=optional in Tributary's folder.`,
  );
}

await start();
