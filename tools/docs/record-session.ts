/**
 * Records the first commands of a reader, as they run against a fresh devnet: docs/session.cast (asciicast v2) has what they print
 * and when, docs/session.svg is its picture. For when the devnet or an answer has changed; test/repository/docs/readme.e2e.ts
 * runs the commands again and compares. Only the port differs from what is shown: 8080 may be taken.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "../../fixtures/free-port.ts";
import { drawSession, readSession } from "./session-svg.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const COLUMNS = 115;
const START = "TRIBUTARY_API_KEY=my-devnet-key npm start";
const COMMANDS = ["npx tributary price 1 ETH USDH", "npx tributary ladder 1,10,100,1000 ETH USDH"];

const version = (JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { readonly version: string }).version;
const [port, data] = [await freePort(), mkdtempSync(join(tmpdir(), "session-"))];
const key = { TRIBUTARY_API_KEY: "my-devnet-key" };
const began = Date.now();
const events: [number, "o", string][] = [];
const record = (text: string) => {
  const shown = text.replaceAll(`127.0.0.1:${port}`, "127.0.0.1:8080").replaceAll("\n", "\r\n");
  events.push([(Date.now() - began) / 1_000, "o", shown]);
};
const run = (words: readonly string[], env: Readonly<Record<string, string>>) => {
  const child = spawn(process.execPath, ["bin/tributary.js", ...words], {
    cwd: root,
    env: { PATH: process.env.PATH, ...key, ...env },
    stdio: ["ignore", "pipe", "ignore"],
  });
  child.stdout.setEncoding("utf8").on("data", record);
  return child;
};

record(`$ ${START} &\n`);
const service = run(["serve"], { PORT: String(port), DEVNET_PORT: "0", METRICS_PORT: "0", DATA_DIR: data });
try {
  while (!events.some(([, , text]) => text.includes("curl "))) await once(service.stdout, "data");
  for (const command of COMMANDS) {
    record(`$ ${command}\n`);
    const [, , ...words] = command.split(" ");
    const [code] = (await once(run(words, { TRIBUTARY_URL: `http://127.0.0.1:${port}` }), "close")) as [number];
    if (code !== 0) throw new Error(`"${command}" ended with ${code}`);
  }
} finally {
  service.kill("SIGTERM");
  await once(service, "close");
  rmSync(data, { recursive: true });
}

const header = { version: 2, width: COLUMNS, height: 30, title: `Tributary ${version}`, idle_time_limit: 1.5 };
const cast = `${[header, ...events].map((each) => JSON.stringify(each)).join("\n")}\n`;
writeFileSync(join(root, "docs/session.cast"), cast);
writeFileSync(join(root, "docs/session.svg"), drawSession(readSession(cast)));
