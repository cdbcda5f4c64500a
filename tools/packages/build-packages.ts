/**
 * Makes the packages that are published, each ready for \`npm pack\`:
 *
 *   node tools/packages/build-packages.ts dist                 all of them: dist/service, dist/client, dist/proto
 *   node tools/packages/build-packages.ts dist client proto    these
 */
import { join, resolve } from "node:path";
import { makeServicePackage } from "./service-package.ts";
await makeServicePackage(join(resolve(process.argv[2]!), "service"));
