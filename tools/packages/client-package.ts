import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build, type Plugin } from "esbuild";
import { writeDeclarations } from "./declarations.ts";
import { PACKAGES } from "./names.ts";
import { describePackage, emptyFolder, ownPackage, root } from "./package-folder.ts";

/** The package's entries, and their sources. */
const ENTRIES = {
  ".": "index",
  "./rest": "rest",
  "./grpc": "grpc-transport",
  "./viem": "viem",
  "./wagmi": "wagmi",
};
/** The entry under a name that says the protocol. */
const ALIASES = { "./connect": "." } as const;
const SUMMARY = "Typed client of Tributary: exact prices and transactions for token swaps";

/** Makes the client a package that plain Node and every bundler can use: JavaScript with types, and nothing of the service. */
export async function makeClientPackage(folder: string): Promise<void> {
  emptyFolder(folder, PACKAGES.client);
  const sources = Object.values(ENTRIES).map((name) => `src/client/${name}.ts`);
  await build({
    absWorkingDir: root,
    entryPoints: sources,
    bundle: true,
    splitting: true,
    packages: "external",
    format: "esm",
    target: "es2022",
    outdir: folder,
    plugins: [contractFromItsPackage],
  });
  writeDeclarations(join(folder, "types"), sources);
  // They are named out of their own package.
  rmSync(join(folder, "types/gen"), { recursive: true });
  const entries = Object.entries(ENTRIES).map(([path, name]) => [
    path,
    { types: `./types/src/client/${name}.d.ts`, default: `./${name}.js` },
  ]);
  const exports = Object.fromEntries(entries);
  for (const [path, same] of Object.entries(ALIASES)) exports[path] = exports[same];
  describePackage(
    folder,
    {
      name: PACKAGES.client,
      description: SUMMARY,
      sideEffects: false,
      exports: { ...exports, "./package.json": "./package.json" },
      dependencies: {
        ...ranges(["@bufbuild/protobuf", "@connectrpc/connect", "@connectrpc/connect-node", "@connectrpc/connect-web"]),
        [PACKAGES.proto]: `^${ownPackage().version}`,
      },
      peerDependencies: { "@wagmi/core": "^3.0.0", viem: "^2.30.0" },
      peerDependenciesMeta: { "@wagmi/core": { optional: true }, viem: { optional: true } },
    },
    readme(),
  );
}

/** Every release that fits, so that a program has each of them once. */
function ranges(names: readonly string[]): object {
  const { dependencies } = ownPackage();
  return Object.fromEntries(names.map((name) => [name, `^${dependencies[name]}`]));
}

const contractFromItsPackage: Plugin = {
  name: "contract-from-its-package",
  setup(options) {
    options.onResolve({ filter: /^#gen\// }, ({ path }) => ({
      path: path.replace(/^#gen\/(.*)\.ts$/, `${PACKAGES.proto}/$1`),
      external: true,
      sideEffects: false,
    }));
  },
};

/** README of the package: the examples of the quickstart. */
function readme(): string {
  const page = readFileSync(join(root, "docs/quickstart.md"), "utf8");
  const example = (mark: string) => {
    const [, code] = new RegExp(`<!-- run: ${mark} -->\\n(\`\`\`ts\\n[^]*?\`\`\`)`).exec(page) ?? [];
    if (code === undefined) throw new Error(`docs/quickstart.md has no example marked ${mark}`);
    return code;
  };
  return `# ${PACKAGES.client}

${SUMMARY}. Amounts are base units; a running service describes every field at \`/docs\`.

| entry | what it is |
|---|---|
| \`${PACKAGES.client}\`, also \`/connect\` | over fetch, with messages of protobuf: all that the service can do |
| \`${PACKAGES.client}/rest\` | the same calls as plain JSON, in less than 6 kB |
| \`${PACKAGES.client}/grpc\` | the transport for Node: one connection, HTTP/2 |
| \`${PACKAGES.client}/viem\`, \`${PACKAGES.client}/wagmi\` | a quote sent by a wallet: approvals, signature, batch |

The least that a page has to load:

${example("rest")}

Over fetch, in browsers and elsewhere:

${example("wallet")}

Over gRPC, in Node, with calls and streams tried again after what passes:

${example("back-end")}

A quote sent by a wallet of viem:

${example("send")}
`;
}
