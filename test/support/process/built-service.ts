import { execFileSync } from "node:child_process";
import { renameSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inject } from "vitest";
import type { ServiceProgram } from "../../../fixtures/fleet/fleet.ts";
import { madeOnceSync } from "./once-per-run.ts";

/** A hook that never gave control back would hold up the whole run: no time-out of vitest ends it. */
const MOST_MS = 120_000;

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Makes the service's package when a run of vitest first asks for it: that costs less than two starts of the sources. */
export function builtService(): ServiceProgram {
  const made = madeOnceSync("service", (path) => {
    const packages = `${path}s`;
    execFileSync(process.execPath, ["tools/packages/build-packages.ts", packages, "service"], {
      ...{ cwd: root, timeout: MOST_MS, killSignal: "SIGKILL" },
    });
    renameSync(join(packages, "service"), path);
  });
  return { program: join(made, "bin/tributary.js"), compiled: join(inject("runFolder"), "compiled") };
}
