/**
 * Asks a service on a fresh devnet what the README's curl line asks, and puts the answer into docs/api.md, and the fields that the
 * README shows under its line. For when the devnet or the answer has changed; test/repository/docs/readme.e2e.ts compares them.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { compose } from "../../src/compose/serve.ts";
import { readConfig } from "../../src/ops/config.ts";
import { createLogger } from "../../src/ops/logger.ts";

const at = (page: string) => fileURLToPath(new URL(`../../${page}`, import.meta.url));
const readme = readFileSync(at("README.md"), "utf8");
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
const answer = (await (await fetch(url, { headers: { "api-key": key } })).json()) as Record<string, unknown>;
await service.stop();

/** Puts `make` of what stands there into the block of a page that has this mark. */
function renew(page: string, mark: string, make: (shown: Record<string, unknown>) => unknown): void {
  const block = new RegExp(`(<!-- ${mark} -->\\n\`\`\`json\\n)([\\s\\S]*?)(\\n\`\`\`)`);
  const renewed = readFileSync(at(page), "utf8").replace(
    block,
    (_, open: string, shown: string, close: string) =>
      `${open}${JSON.stringify(make(JSON.parse(shown) as Record<string, unknown>), null, 2)}${close}`,
  );
  writeFileSync(at(page), renewed);
}

renew("docs/api.md", "answer: curl", () => answer);
renew("README.md", "answer: curl, in part", (shown) =>
  Object.fromEntries(Object.keys(shown).map((name) => [name, answer[name]])),
);
process.exit(0);
