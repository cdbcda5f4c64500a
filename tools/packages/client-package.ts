/**
 * Makes the client a package of its own, which plain Node and every bundler can use: JavaScript with types, and nothing
 * of the service. Node runs no TypeScript out of node_modules, so the sources alone would not do.
 *
 *   node tools/packages/client-package.ts dist/client     then `npm pack ./dist/client`
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const NAME = "tributary-client";
const root = fileURLToPath(new URL("../..", import.meta.url));
const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error("say where to: node tools/packages/client-package.ts <folder>");
  process.exit(2);
}
const target = resolve(folder);
const types = join(target, "types");
const found = existsSync(target) ? readdirSync(target) : [];
if (found.length > 0 && nameIn(target) !== NAME) {
  console.error(`${target} holds something else: all that is in it would be deleted`);
  process.exit(2);
}
rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });

await build({
  absWorkingDir: root,
  entryPoints: { index: "src/client/index.ts", node: "src/client/grpc-transport.ts" },
  bundle: true,
  splitting: true,
  packages: "external",
  format: "esm",
  target: "es2022",
  outdir: target,
});

const options = {
  extends: join(root, "tsconfig.json"),
  compilerOptions: {
    noEmit: false,
    emitDeclarationOnly: true,
    declaration: true,
    rootDir: root,
    outDir: types,
    typeRoots: [join(root, "node_modules/@types")],
  },
  include: [],
  files: [join(root, "src/client/index.ts"), join(root, "src/client/grpc-transport.ts")],
};
const settings = join(target, "tsconfig.json");
writeFileSync(settings, JSON.stringify(options));
execFileSync(join(root, "node_modules/.bin/tsc"), ["-p", settings], { cwd: root, stdio: "inherit" });
rmSync(settings);
for (const name of readdirSync(types, { recursive: true, encoding: "utf8" })) {
  if (!name.endsWith(".d.ts")) continue;
  const file = join(types, name);
  // Declarations name the sources; here they have to name what stands beside them.
  const gen = relative(dirname(file), join(types, "gen"));
  const text = readFileSync(file, "utf8")
    .replaceAll(/(from "|import\(")#gen\/([^"]+)\.ts"/g, `$1${gen}/$2.js"`)
    .replaceAll(/(from "|import\(")(\.[^"]+)\.ts"/g, '$1$2.js"');
  writeFileSync(file, text);
}

const { version, license, dependencies, devDependencies } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8"),
) as Readonly<Record<"version" | "license", string>> &
  Readonly<Record<"dependencies" | "devDependencies", Readonly<Record<string, string>>>>;
const versions = { ...devDependencies, ...dependencies };
const needed = ["@bufbuild/protobuf", "@connectrpc/connect", "@connectrpc/connect-node", "@connectrpc/connect-web"];
const description = {
  name: NAME,
  version,
  description: "Typed client of Tributary: exact prices and transactions for token swaps",
  license,
  type: "module",
  sideEffects: false,
  engines: { node: ">=22" },
  exports: {
    ".": { types: "./types/src/client/index.d.ts", default: "./index.js" },
    "./node": { types: "./types/src/client/grpc-transport.d.ts", default: "./node.js" },
  },
  dependencies: Object.fromEntries(needed.map((name) => [name, versions[name]])),
};
writeFileSync(join(target, "package.json"), `${JSON.stringify(description, null, 2)}\n`);
copyFileSync(join(root, "LICENSE"), join(target, "LICENSE"));
writeFileSync(join(target, "README.md"), readme(description.description));

/** README of the package: the examples of the quickstart. */
function readme(summary: string): string {
  const page = readFileSync(join(root, "docs/quickstart.md"), "utf8");
  const example = (mark: string) => {
    const [, code] = new RegExp(`<!-- run: ${mark} -->\\n(\`\`\`ts\\n[^]*?\`\`\`)`).exec(page) ?? [];
    if (code === undefined) throw new Error(`docs/quickstart.md has no example marked ${mark}`);
    return code;
  };
  return `# ${NAME}

${summary}. Amounts are base units; a running service describes every field at \`/docs\`.

Over fetch, in browsers and elsewhere:

${example("wallet")}

Over gRPC, in Node:

${example("back-end")}
`;
}

/** The name of the package in a folder, if there is one. */
function nameIn(place: string): unknown {
  try {
    return (JSON.parse(readFileSync(join(place, "package.json"), "utf8")) as { readonly name?: unknown }).name;
  } catch {
    return undefined;
  }
}
