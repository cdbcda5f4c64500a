/**
 * Asks a service on a fresh devnet what the README's curl line asks, and puts the answer under it. For when the devnet
 * or the answer has changed; test/repository/docs/readme.test.ts holds the two against each other.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { compose } from "../../src/compose/serve.ts";
import { readConfig } from "../../src/ops/config.ts";
import { createLogger } from "../../src/ops/logger.ts";

const path = fileURLToPath(new URL("../../README.md", import.meta.url));
const readme = readFileSync(path, "utf8");
const key = readme.match(/TRIBUTARY_API_KEY=(\S+) npm start/)?.[1];
const line = readme.match(/<!-- run: curl -->\n```sh\n(.*)\n```/)?.[1];
if (key === undefined || line === undefined) throw new Error("the README has no key or no curl line");

const service = await compose(
  readConfig({ PORT: "0", DEVNET_PORT: "0", TRIBUTARY_API_KEY: key }),
  createLogger("warn"),
);
await service.ready;
const { port } = new URL(service.url);
const url = line.match(/'(http[^']+)'/)?.[1]?.replace("127.0.0.1:8080", `127.0.0.1:${port}`) ?? "";
const answer: unknown = await (await fetch(url, { headers: { "api-key": key } })).json();
await service.stop();

writeFileSync(
  path,
  readme.replace(
    /(<!-- answer: curl -->\n```json\n)[\s\S]*?(\n```)/,
    (_, open: string, close: string) => `${open}${JSON.stringify(answer, null, 2)}${close}`,
  ),
);
process.exit(0);
