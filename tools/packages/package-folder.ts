import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

/** Fields read from the repository's own package.json. */
interface OwnPackage {
  readonly version: string;
  readonly license: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

export function ownPackage(): OwnPackage {
  return JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
}

/** The oldest Node that the packages are tested with: node:sqlite waits for locks from there on. */
export const OLDEST_NODE = "22.16";

/** An empty folder for a package. @throws Error when the folder holds something else than a package of that name */
export function emptyFolder(folder: string, name: string): void {
  const found = existsSync(folder) ? readdirSync(folder) : [];
  if (found.length > 0 && nameIn(folder) !== name) {
    throw new Error(`${folder} holds something else: all that is in it would be deleted`);
  }
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
}

/** Writes package.json with what all packages share, README and licence. */
export function describePackage(folder: string, description: Readonly<Record<string, unknown>>, readme: string): void {
  const { version, license } = ownPackage();
  const { name, ...rest } = description;
  const whole = {
    name,
    version,
    license,
    type: "module",
    engines: { node: `>=${OLDEST_NODE}` },
    publishConfig: { access: "public", provenance: true },
    ...repository(),
    ...rest,
  };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(whole, null, 2)}\n`);
  copyFileSync(join(root, "LICENSE"), join(folder, "LICENSE"));
  writeFileSync(join(folder, "README.md"), readme);
}

/** npm's provenance holds this against the repository that the workflow runs in, which tells us its own name. */
function repository(): object {
  const { GITHUB_SERVER_URL: server = "https://github.com", GITHUB_REPOSITORY: name } = process.env;
  return name === undefined ? {} : { repository: { type: "git", url: `git+${server}/${name}.git` } };
}

/** The name of the package in a folder, if there is one. */
function nameIn(folder: string): unknown {
  try {
    return (JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { readonly name?: unknown }).name;
  } catch {
    return undefined;
  }
}
