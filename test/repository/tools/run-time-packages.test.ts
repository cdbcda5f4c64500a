import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { complaintsOfPackages, readLock, runTimePackages } from "../../../tools/packages/run-time-packages.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const read = (file: string) => readFileSync(join(root, file), "utf8");

it("a licence or an install script that nobody has decided on is told of", () => {
  const packageOf = (license: string | undefined, more = {}) => ({
    "node_modules/a/node_modules/x": { version: "1.0.0", ...(license !== undefined && { license }), ...more },
  });
  const says = (license: string | undefined, more = {}) =>
    complaintsOfPackages(runTimePackages(packageOf(license, more)));
  for (const fine of ["MIT", "GPL-3.0 OR MIT", "(Apache-2.0 AND BSD-3-Clause)"]) expect(says(fine), fine).toEqual([]);
  for (const other of ["GPL-3.0", "MIT AND GPL-3.0", "GPL-2.0 OR GPL-3.0", undefined]) {
    expect(says(other), other).toEqual([expect.stringMatching(/^x@1.0.0: its licence, /)]);
  }
  expect(says("GPL-3.0", { dev: true })).toEqual([]);
  expect(says("MIT", { hasInstallScript: true })).toEqual([expect.stringContaining("wants to run a script")]);
});

it("what a real chain is served with is neither anvil nor TypeScript, nor runs a script to be installed", () => {
  const packages = runTimePackages();
  const names = packages.filter(({ isOptional }) => !isOptional).map(({ name }) => name);
  expect(names).toContain("viem");
  expect(names.filter((name) => /anvil|typescript|^node-/.test(name))).toEqual([]);
  expect(packages.map(({ name }) => name)).not.toContain("typescript");
  expect(complaintsOfPackages(packages)).toEqual([]);
});

it("npm runs no scripts of packages, and takes no version that is younger than a week", () => {
  const settings = read(".npmrc");
  expect(settings).toMatch(/^ignore-scripts=true$/m);
  expect(Number(/^min-release-age=(\d+)$/m.exec(settings)?.[1])).toBeGreaterThanOrEqual(7);
});

it("versions are exact, and every package that is not made here has its digest", () => {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(read("package.json"));
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })) {
    expect(version, name).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
  }
  for (const [path, entry] of Object.entries(readLock())) {
    if (path !== "") expect(entry, path).toHaveProperty("integrity", expect.stringMatching(/^sha512-/));
  }
});

it("the bill of materials names what the product runs with, and none of its tools", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ["tools/packages/sbom.ts"], {
    cwd: root,
    maxBuffer: 1 << 26,
  });
  const bom = JSON.parse(stdout);
  expect(bom).toMatchObject({ bomFormat: "CycloneDX", metadata: { component: { name: "tributary" } } });
  const refs = bom.components.map((component: { readonly "bom-ref": string }) => component["bom-ref"]);
  expect(refs.toSorted()).toEqual(
    runTimePackages()
      .map(({ name, version }) => `${name}@${version}`)
      .toSorted(),
  );
  // npm's own list, with --omit dev, lacks both.
  for (const name of ["@bufbuild/protobuf@", "zod@"]) expect(refs.join()).toContain(name);
  expect(refs.join()).not.toMatch(/vitest|knip/);
});
