import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** A published package, pinned by the sha512 of its tarball as the registry's lock files write it. */
export interface PinnedPackage {
  readonly name: string;
  readonly version: string;
  readonly integrity: string;
}

/** The registry could not be reached; says nothing about the package. */
export class RegistryUnreachable extends Error {}

const cacheFolder = fileURLToPath(new URL("../../.cache/contract-packages", import.meta.url));
const run = promisify(execFile);

/** Unpacks the package at exactly the recorded tarball and answers its folder. */
export async function unpack(entry: PinnedPackage): Promise<string> {
  mkdirSync(cacheFolder, { recursive: true });
  const id = `${entry.name}@${entry.version}`;
  const stem = `${entry.name.replace("@", "").replace("/", "-")}-${entry.version}`;
  const tarball = join(cacheFolder, `${stem}.tgz`);
  if (!hasIntegrity(tarball, entry.integrity)) {
    rmSync(tarball, { force: true });
    await download(id);
    if (!hasIntegrity(tarball, entry.integrity)) throw new Error(`${id}: the tarball is not the recorded one`);
  }
  const folder = join(cacheFolder, stem);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await run("tar", ["-xzf", tarball, "-C", folder, "--strip-components=1"]);
  return folder;
}

async function download(id: string): Promise<void> {
  try {
    await run(
      "npm",
      ["pack", id, "--loglevel=error", "--ignore-scripts", "--fetch-retries=1", "--fetch-retry-mintimeout=1000"],
      { cwd: cacheFolder },
    );
  } catch (error) {
    const output = error instanceof Error && "stderr" in error ? String(error.stderr) : "";
    const text = `${error instanceof Error ? error.message : error}\n${output}`;
    if (
      /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT)\b/.test(
        text,
      )
    )
      throw new RegistryUnreachable(id, { cause: error });
    throw error;
  }
}

function hasIntegrity(file: string, integrity: string): boolean {
  try {
    return `sha512-${createHash("sha512").update(readFileSync(file)).digest("base64")}` === integrity;
  } catch {
    return false;
  }
}
