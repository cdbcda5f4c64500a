/**
 * Makes the packages that are published, each ready for `npm pack` and `npm publish`:
 *
 *   node tools/packages/build-packages.ts dist                 all of them: dist/service, dist/client, dist/proto
 *   node tools/packages/build-packages.ts dist client proto    these
 */
import { join, resolve } from "node:path";
import { messageOf } from "../../src/domain/message-of.ts";
import { makeClientPackage } from "./client-package.ts";
import type { PACKAGES } from "./names.ts";
import { makeProtoPackage } from "./proto-package.ts";
import { makeServicePackage } from "./service-package.ts";

const MAKERS: Readonly<Record<string, (folder: string) => void | Promise<void>>> = {
  service: makeServicePackage,
  client: makeClientPackage,
  proto: makeProtoPackage,
} satisfies Record<keyof typeof PACKAGES, unknown>;

const [folder, ...named] = process.argv.slice(2);
const wrong = named.find((name) => !Object.hasOwn(MAKERS, name));
if (folder === undefined || wrong !== undefined) {
  console.error(
    `say where to, and which: node tools/packages/build-packages.ts <folder> [${Object.keys(MAKERS).join(" | ")}]`,
  );
  process.exit(2);
}
try {
  for (const name of named.length > 0 ? named : Object.keys(MAKERS)) await MAKERS[name]?.(join(resolve(folder), name));
} catch (error) {
  console.error(messageOf(error));
  process.exit(2);
}
