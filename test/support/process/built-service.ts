import { execFileSync } from "node:child_process";
import { existsSync, renameSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inject } from "vitest";
import type { ServiceProgram } from "../../../fixtures/fleet/fleet.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Makes the service's package when a run of vitest first asks for it: that costs less than two starts of the sources. */
export function builtService(): ServiceProgram {
  const folder = inject("runFolder");
  const made = join(folder, "service");
  const built = { program: join(made, "bin/tributary.js"), compiled: join(folder, "compiled") };
  if (existsSync(made)) return built;
  const mine = join(folder, `made-by-${process.pid}`);
  execFileSync(process.execPath, ["tools/packages/build-packages.ts", mine, "service"], { cwd: root });
  try {
    renameSync(join(mine, "service"), made);
  } catch (error) {
    // Another worker was faster, and packages of several workers are the same.
    if (!existsSync(made)) throw error;
  }
  return built;
}
