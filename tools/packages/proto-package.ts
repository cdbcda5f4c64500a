import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { transformSync } from "esbuild";
import { withPublishedNames, writeDeclarations } from "./declarations.ts";
import { PACKAGES } from "./names.ts";
import { describePackage, emptyFolder, ownPackage, root } from "./package-folder.ts";

/** The contract and what it imports. The state of the market and the protocols of gRPC's own are nobody's contract. */
const SCHEMAS = [
  "swap/v1/swap",
  "swap/v1/tokens",
  "rest/v1/options",
  "google/api/annotations",
  "google/api/http",
  "google/rpc/error_details",
  "google/rpc/status",
];

/** Rules of requests: for those who compile the schema, since generated code has none. */
const RULES = ["rules/v1/rules", "buf/validate/validate"];

/** Makes the schema with its generated code a package: each module by its own path, all of the service's by the name alone. */
export function makeProtoPackage(folder: string): void {
  emptyFolder(folder, PACKAGES.proto);
  const modules = SCHEMAS.map((name) => `${name}_pb`);
  for (const name of modules) {
    const source = readFileSync(join(root, "gen", `${name}.ts`), "utf8");
    const { code } = transformSync(source, { loader: "ts", format: "esm", target: "es2022" });
    write(join(folder, "gen", `${name}.js`), withPublishedNames(code));
  }
  writeDeclarations(
    folder,
    modules.map((name) => `gen/${name}.ts`),
  );
  const all = modules.filter((name) => name.startsWith("swap/")).map((name) => `export * from "./${name}.js";\n`);
  for (const file of ["index.js", "index.d.ts"]) write(join(folder, "gen", file), all.join(""));
  for (const name of [...SCHEMAS, ...RULES])
    cpSync(join(root, "proto", `${name}.proto`), join(folder, "proto", `${name}.proto`));
  describePackage(
    folder,
    {
      name: PACKAGES.proto,
      description: "The protobuf contract of Tributary, and its generated code",
      sideEffects: false,
      exports: {
        ".": entry("index"),
        ...Object.fromEntries(modules.map((name) => [`./${name}`, entry(name)])),
        "./proto/*": "./proto/*",
        "./package.json": "./package.json",
      },
      dependencies: { "@bufbuild/protobuf": `^${ownPackage().dependencies["@bufbuild/protobuf"]}` },
    },
    README,
  );
}

function entry(name: string): object {
  return { types: `./gen/${name}.d.ts`, default: `./gen/${name}.js` };
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const README = `# ${PACKAGES.proto}

The protobuf contract of Tributary, with generated code for protobuf-es and Connect:

\`\`\`ts
import { createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { SwapService } from "${PACKAGES.proto}";

const client = createClient(SwapService, createConnectTransport({ baseUrl: "http://127.0.0.1:8080" }));
const price = await client.getPrice(
  {
    sellToken: "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee",
    buyToken: "0x8a791620dd6260079bf849dc5567adc3f2fdc318",
    sellAmount: "1000000000000000000",
  },
  { headers: { "api-key": "my-devnet-key" } },
);
console.log(price.buyAmount);
\`\`\`

\`${PACKAGES.client}\` does that in one line, with errors, retries and streams. The folder \`proto\` of this package has the schema for
other languages: \`swap/v1/swap.proto\` and what it imports.
`;
