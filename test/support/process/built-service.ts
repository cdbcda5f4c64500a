import { execFileSync } from "node:child_process";
import { existsSync, renameSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inject } from "vitest";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** The service as `npx` runs it, for the tests of one run. */
export interface BuiltService {
  /** Serves when it is run without a command. */
  readonly program: string;
  /** Code that Node has compiled of it, which is half of the processor time of a start. */
  readonly compiled: string;
}

/** Makes the service's package the first time that a run of vitest asks for it: that costs less than two starts of the sources. */
export function builtService(): BuiltService {
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
