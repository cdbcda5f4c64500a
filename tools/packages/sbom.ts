/**
 * Prints the software bill of materials (CycloneDX JSON) of what the product runs with: packages, versions, digests,
 * licences, and who depends on whom. `--check` prints nothing and ends with 1 where it is not whole, or a package has a
 * licence or an install script that may not be.
 *
 *   node tools/packages/sbom.ts > tributary.cdx.json
 *
 * It is npm's own, of all packages, cut down here: npm 11.19 with `--omit dev` leaves out packages that tools use too.
 */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { complaintsOfPackages, runTimePackages } from "./run-time-packages.ts";

/** The parts of CycloneDX that are looked at. */
interface Bom {
  readonly metadata: { readonly component: { readonly "bom-ref": string; name: string } };
  readonly components: readonly { readonly "bom-ref": string; readonly hashes?: readonly object[] }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

const root = fileURLToPath(new URL("../..", import.meta.url));
const packages = runTimePackages();
const wanted = new Set(packages.map(({ name, version }) => `${name}@${version}`));

const whole = JSON.parse(
  execFileSync("npm", ["sbom", "--package-lock-only", "--sbom-format", "cyclonedx"], { cwd: root, encoding: "utf8" }),
) as Bom;
const product = whole.metadata.component;
// npm calls it by the name of the folder that it is in.
product.name = product["bom-ref"].replace(/@[^@]*$/, "");
const bom: Bom = {
  ...whole,
  components: whole.components.filter((component) => wanted.has(component["bom-ref"])),
  dependencies: whole.dependencies
    .filter(({ ref }) => ref === product["bom-ref"] || wanted.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((name) => wanted.has(name)) })),
};

if (process.argv.includes("--check")) {
  const listed = new Map(bom.components.map((component) => [component["bom-ref"], component]));
  const complaints = [
    ...complaintsOfPackages(packages),
    ...[...wanted].filter((ref) => !listed.has(ref)).map((ref) => `${ref} is missing in the bill of materials`),
    ...[...listed].filter(([, it]) => (it.hashes ?? []).length === 0).map(([ref]) => `${ref} has no digest`),
  ];
  for (const line of complaints) console.error(line);
  if (complaints.length === 0) console.log(`${listed.size} packages, all with a digest and a licence that is allowed`);
  process.exitCode = complaints.length === 0 ? 0 : 1;
} else console.log(JSON.stringify(bom, null, 2));
