import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { build, type Plugin } from "esbuild";
import { PACKAGES } from "./names.ts";
import { describePackage, emptyFolder, OLDEST_NODE, ownPackage, root } from "./package-folder.ts";

/** The programs: the command line, a search thread, the metrics thread, and the reference maker's own process. */
const ENTRIES = [
  "src/cli/main.ts",
  "src/compose/worker.ts",
  "src/api/http/metrics-worker.ts",
  "src/devnet/maker/maker-process.ts",
];
/** The compiled programs, in one folder: chunks stand beside them. */
const OUT = "dist";
/** Files that the program reads, at the paths of the repository. */
const FILES = [
  "contracts/out",
  "contracts/bundle",
  "contracts/balancer-v3",
  "src/chain/chains/records",
  "console/index.html",
  "console/console.css",
  "console/docs.css",
  "console/dist",
];
/** CommonJS packages ask for Node's own modules by this name. */
const REQUIRE =
  'import { createRequire as makeRequire } from "node:module"; const require = makeRequire(import.meta.url);';

/**
 * Makes the service a package that runs on plain Node: JavaScript with all that it imports, and the files that it reads.
 * Nothing is installed beside it but the devnet's node, which is optional.
 */
export async function makeServicePackage(folder: string): Promise<void> {
  emptyFolder(folder, PACKAGES.service);
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ENTRIES,
    entryNames: "[name]",
    chunkNames: "chunk-[hash]",
    outdir: join(folder, OUT),
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    target: `node${OLDEST_NODE}`,
    banner: { js: REQUIRE },
    // pg asks for it where it is installed, and takes its own code where it is not.
    external: ["pg-native"],
    legalComments: "none",
    metafile: true,
    plugins: [placesOfSources],
  });
  for (const name of FILES) cpSync(join(root, name), join(folder, name), { recursive: true });
  writeFileSync(join(folder, "THIRD-PARTY.md"), licencesOf(Object.keys(metafile.inputs)));
  const start = join(folder, "bin/tributary.js");
  mkdirSync(dirname(start));
  writeFileSync(start, startFile());
  chmodSync(start, 0o755);
  const { optionalDependencies } = ownPackage();
  describePackage(
    folder,
    {
      name: PACKAGES.service,
      description: "Self-hosted swap aggregation for one EVM chain: exact prices and transactions",
      bin: { tributary: "bin/tributary.js" },
      exports: { "./package.json": "./package.json" },
      optionalDependencies: Object.fromEntries(
        Object.entries(optionalDependencies).filter(([name]) => name.startsWith("@foundry-rs/anvil-")),
      ),
    },
    readme(),
  );
}

/** Sources find programs and files from where they are; bundled, they are all in one folder. */
const placesOfSources: Plugin = {
  name: "places-of-sources",
  setup(options) {
    options.onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => {
      if (!path.startsWith(root)) return undefined;
      const source = readFileSync(path, "utf8");
      if (!source.includes("import.meta.url")) return undefined;
      const place = relative(join(root, OUT), path).replaceAll("\\", "/");
      const contents = source.replaceAll(/new URL\(([`"][^)]+), import\.meta\.url\)/g, (_, file: string) => {
        const [, program] = /^"([\w-]+)\.ts"$/.exec(file) ?? [];
        if (program === undefined) return `new URL(${file}, new URL("${place}", import.meta.url))`;
        if (!ENTRIES.some((entry) => basename(entry) === `${program}.ts`))
          throw new Error(`${path}: ${file} is no entry`);
        return `new URL("./${program}.js", import.meta.url)`;
      });
      return { contents, loader: "ts" };
    });
  },
};

/** Oldest Node that has to understand the output. */
function startFile(): string {
  const [major, minor] = OLDEST_NODE.split(".");
  const [interpreter] = readFileSync(join(root, "bin/tributary.js"), "utf8").split("\n", 1);
  return `${interpreter}
const [major, minor] = process.versions.node.split(".").map(Number);
if (major > ${major} || (major === ${major} && minor >= ${minor})) {
  // Without a command it serves: the devnet, unless RPC_URL names a node.
  if (process.argv.length === 2) process.argv.push("serve");
  await import("../${OUT}/main.js");
} else {
  console.error(\`Tributary needs Node ${OLDEST_NODE} or newer, and this is \${process.version}.\`);
  process.exit(1);
}
`;
}

/** The licences of the packages whose files went into the bundle. */
function licencesOf(inputs: readonly string[]): string {
  const names = inputs.map((path) => /^.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[0]);
  const folders = [...new Set(names.filter((name) => name !== undefined))].sort();
  const sections = folders.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
    const file = readdirSync(join(root, folder)).find((it) => /^licen[cs]e/i.test(it));
    const text = file === undefined ? `Licence: ${license}` : readFileSync(join(root, folder, file), "utf8");
    return `## ${name} ${version}\n\n${text.trim()}\n`;
  });
  return `# Packages that are compiled in\n\n${sections.join("\n")}`;
}

function readme(): string {
  return `# ${PACKAGES.service}

Tributary finds the best price for a token swap on one EVM chain, and makes the transaction that does exactly what was quoted.
It needs Node ${OLDEST_NODE} or newer, and nothing else:

\`\`\`sh
npx ${PACKAGES.service}
\`\`\`

starts a devnet with real DEX contracts, and the service. It prints a call to try, and a link to the console.
The devnet's node, anvil, is an optional dependency for Linux, macOS and Windows.

For a chain of your own, name its node. \`npm install --omit=optional\` leaves the devnet's node out:

\`\`\`sh
RPC_URL=http://127.0.0.1:8545 CHAIN=ethereum npx ${PACKAGES.service} serve
\`\`\`

\`npx ${PACKAGES.service} --help\` lists the commands. The service describes its API at \`/docs\`. \`${PACKAGES.client}\` is its client.

[THIRD-PARTY.md](THIRD-PARTY.md) has the licences of what is compiled in. The devnet's contracts are other projects' work under
their own licences: [contracts/bundle/NOTICE.md](contracts/bundle/NOTICE.md).
`;
}
