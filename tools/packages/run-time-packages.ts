import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Licences that the product may be given away and sold with, by their SPDX ids. Another one needs a decision. */
const ALLOWED_LICENCES: ReadonlySet<string> = new Set([
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "ISC",
  "MIT",
  "0BSD",
]);

/** An entry of package-lock.json, as far as it counts here. */
interface LockedPackage {
  readonly version: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly hasInstallScript?: boolean;
}

/** A package that the running product may load. */
export interface RunTimePackage {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  /** Not installed with --omit=optional. */
  readonly isOptional: boolean;
  readonly hasInstallScript: boolean;
}

export function readLock(): Readonly<Record<string, LockedPackage>> {
  return JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;
}

/** Packages that `npm ci --omit=dev` installs, on all platforms together, by name and version. */
export function runTimePackages(lock = readLock()): readonly RunTimePackage[] {
  return Object.entries(lock)
    .filter(([path, { dev = false }]) => path !== "" && !dev)
    .map(([path, { version, license, optional = false, hasInstallScript = false }]) => ({
      name: path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length),
      version,
      licence: license ?? "none",
      isOptional: optional,
      hasInstallScript,
    }))
    .sort((a, b) => (a.name === b.name ? 0 : a.name < b.name ? -1 : 1));
}

/** Complaints about run-time packages, one line each. */
export function complaintsOfPackages(packages: readonly RunTimePackage[]): readonly string[] {
  return packages.flatMap(({ name, version, licence, hasInstallScript }) => [
    ...(isAllowed(licence) ? [] : [`${name}@${version}: its licence, ${licence}, is not one of ${list()}`]),
    ...(hasInstallScript ? [`${name}@${version} wants to run a script while it is installed: none does here`] : []),
  ]);
}

/** Whether every licence that has to be kept is allowed, in an SPDX expression without nesting. */
function isAllowed(expression: string): boolean {
  const terms = expression.replaceAll(/[()]/g, "").split(/ (AND|OR) /);
  const ids = terms.filter((_, at) => at % 2 === 0);
  return terms.includes("OR") && !terms.includes("AND")
    ? ids.some((id) => ALLOWED_LICENCES.has(id))
    : ids.every((id) => ALLOWED_LICENCES.has(id));
}

function list(): string {
  return [...ALLOWED_LICENCES].join(", ");
}
