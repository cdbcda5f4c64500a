import { createHmac, createSecretKey, randomBytes } from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { openPrivateFolder } from "../../ops/data-folder.ts";

const PEPPER_BYTES = 32;

/** Turns secrets into what is kept of them. Whoever has the database alone can test no guess. */
export type Digest = (id: string, secret: string) => Buffer;

/** Bytes of every digest. */
export const DIGEST_BYTES = 32;

export function createDigest(pepper: string): Digest {
  const key = createSecretKey(pepper, "utf8");
  return (id, secret) => createHmac("sha256", key).update(`${id}_${secret}`).digest();
}

/**
 * The pepper that stands in a file, readable by its owner only; a new one when there is no file.
 * @throws Error when the file cannot be read or made, or holds no pepper
 */
export function pepperFromFile(file: string): string {
  openPrivateFolder(dirname(file));
  const fresh = `${file}.${process.pid}.${randomBytes(4).toString("hex")}`;
  writeFileSync(fresh, randomBytes(PEPPER_BYTES).toString("hex"), { mode: 0o600, flush: true });
  try {
    // A link appears whole, and only if there is none: of two processes that start at once, one wins.
    linkSync(fresh, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(fresh, { force: true });
  }
  const pepper = readFileSync(file, "utf8").trim();
  if (pepper.length < PEPPER_BYTES)
    throw new Error(`${file} is damaged, it holds no pepper: restore it from a backup, or set KEY_PEPPER`);
  return pepper;
}
