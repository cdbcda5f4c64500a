import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { functionsOf, readTree } from "../../../tools/source-tree.ts";
import { seamsOf } from "./implementations.ts";
import {
  importsAcrossLayers,
  importsAgainstOrder,
  importsBetweenModules,
  importsOutOfSource,
  type LayerFolders,
  type Layers,
  layerOf,
  type Modules,
  unlistedFiles,
  unusedBorrows,
} from "./import-rules.ts";
import { moduleMemory } from "./module-memory.ts";
import {
  FILES_ABOVE_THE_LIMIT,
  FOLDERS_ABOVE_THE_LIMIT,
  LONG_FUNCTIONS,
  MODULE_MEMORY,
  WIDE_FUNCTIONS,
  WIRE_FACTS,
  WITHOUT_SUITE,
} from "./remainder.ts";
import { implementationsUnheld, isShared } from "./seams.ts";
import {
  complaintsAboutSizes,
  ENTRIES,
  folderSizes,
  functionSizes,
  LINES_OF_FILE,
  LINES_OF_FUNCTION,
  PARAMETERS,
} from "./sizes.ts";
import { wireFacts } from "./wire-facts.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Layers of src/ that a layer may import from, besides itself. docs/architecture.md shows the same table. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  math: ["domain"],
  pools: ["domain", "math"],
  routing: ["domain", "math", "pools"],
  market: ["domain", "math", "pools", "routing"],
  quoting: ["domain", "math", "pools", "routing", "market"],
  venues: ["domain", "math", "pools", "market", "settlement"],
  snapshot: ["domain", "math", "pools", "market", "gen"],
  threads: ["domain", "pools", "routing", "market", "quoting", "snapshot", "ops"],
  makers: ["domain", "math", "pools", "market", "quoting", "ops"],
  chain: ["domain", "market", "quoting", "ops", "snapshot"],
  settlement: ["domain", "math", "pools", "quoting"],
  api: ["domain", "quoting", "ops", "gen"],
  stores: ["domain", "market", "quoting", "api", "ops"],
  ops: ["domain"],
  devnet: ["domain", "math", "chain", "settlement", "venues", "ops"],
  client: ["domain", "gen"],
};

/** The folders of layers that have some, and every file beside them. */
const FOLDERS: Readonly<Record<string, LayerFolders>> = {
  domain: {
    folders: ["errors", "terms"],
    importable: ["domain/address.ts", "domain/block.ts", "domain/route.ts", "domain/source.ts"],
    assembly: [
      "domain/decimal.ts",
      "domain/maker-order.ts",
      "domain/message-of.ts",
      "domain/network.ts",
      "domain/order.ts",
      "domain/ratio.ts",
      "domain/stand-in.ts",
      "domain/switches.ts",
      "domain/token-list.ts",
      "domain/token-verdict.ts",
      "domain/token.ts",
      "domain/venue-action.ts",
      "domain/venue-errors.ts",
      "domain/web-origin.ts",
    ],
  },
  routing: {
    folders: ["edges", "spot", "graph", "session", "flow", "plan", "paths", "bound", "search"],
    importable: ["routing/router.ts", "routing/network-cost.ts"],
    assembly: ["routing/create-router.ts"],
  },
  makers: {
    folders: ["protocols"],
    importable: [
      "makers/guarded-lookup.ts",
      "makers/guarded-request.ts",
      "makers/levels-message.ts",
      "makers/maker-record.ts",
      "makers/numbers.ts",
      "makers/order-answer.ts",
      "makers/order-pool.ts",
      "makers/signed-orders.ts",
    ],
    assembly: [
      "makers/level-to-meet.ts",
      "makers/levels-feed.ts",
      "makers/maker-source.ts",
      "makers/maker.ts",
      "makers/makers-file.ts",
      "makers/makers.ts",
      "makers/market-with-makers.ts",
      "makers/order-desk.ts",
      "makers/score.ts",
      "makers/seen-nonces.ts",
      "makers/signer.ts",
    ],
  },
  market: {
    folders: ["feed"],
    importable: [
      "market/chain-reader.ts",
      "market/eligibility.ts",
      "market/hidden-pools.ts",
      "market/hop-tokens.ts",
      "market/indicative.ts",
      "market/known-routes.ts",
      "market/left-out.ts",
      "market/liquidity-source.ts",
      "market/market.ts",
      "market/past-blocks.ts",
      "market/pool-catalog.ts",
      "market/pool-slots.ts",
      "market/pool-store.ts",
      "market/rates.ts",
      "market/venue-record.ts",
      "market/snapshot.ts",
      "market/taxed-pools.ts",
      "market/venue-record.ts",
      "market/volatility.ts",
      "market/widest-first.ts",
      "market/hidden-pools.ts",
    ],
    assembly: [],
  },
  chain: {
    folders: ["chains", "rpc", "node", "state", "pools", "search", "blocks", "simulation", "tokens", "audit", "fleet"],
    importable: [],
    assembly: ["chain/chain.ts", "chain/chain-options.ts", "chain/chain-parts.ts", "chain/describe-chain.ts"],
  },
  quoting: {
    folders: ["answer", "cost", "search", "price", "quote", "record", "watch", "tokens", "guard"],
    importable: ["quoting/maker-ports.ts", "quoting/ports.ts"],
    assembly: ["quoting/quoting.ts"],
  },
  cli: {
    folders: ["connection", "view", "checks", "audit", "mcp", "calls", "commands"],
    importable: [
      "cli/command.ts",
      "cli/command-options.ts",
      "cli/key-commands.ts",
      "cli/listing-commands.ts",
      "cli/swap-command.ts",
    ],
    assembly: ["cli/help.ts", "cli/main.ts", "cli/program.ts", "cli/run.ts"],
  },
  api: {
    folders: ["errors", "usage", "keys", "rest", "docs", "limits", "parameters", "calls", "http", "connections", "rpc"],
    importable: [],
    assembly: [
      "api/access-log.ts",
      "api/accounts.ts",
      "api/admission.ts",
      "api/operations.ts",
      "api/ready-answers.ts",
      "api/request-handler.ts",
      "api/rest-service.ts",
      "api/server.ts",
      "api/log-readiness.ts",
    ],
  },
  stores: {
    folders: ["sqlite", "memory", "postgres", "redis"],
    importable: ["stores/quote-text.ts", "stores/rows.ts", "stores/stores.ts"],
    assembly: ["stores/open-stores.ts"],
  },
  devnet: {
    folders: ["node", "plan", "contracts", "markets", "traffic", "maker"],
    importable: [],
    assembly: ["devnet/chain.ts", "devnet/devnet.ts", "devnet/seed.ts", "devnet/token-list.ts"],
  },
};

/** Layers with a folder for each curve or venue. A new one stands here only if it borrows from another. */
const MODULES: Readonly<Record<string, Modules>> = {
  pools: {
    shared: ["float", "curve"],
    borrows: {
      "balancer-v3": ["composable-stable", "stableswap", "weighted"],
      "composable-stable": ["stableswap"],
      ekubo: ["concentrated"],
      "sampled-ladder": ["levels"],
      savings: ["vault"],
      "signed-order": ["levels"],
    },
    importable: [
      "pools/direction.ts",
      "pools/math-at-time.ts",
      "pools/pool-math.ts",
      "pools/pool.ts",
      "pools/rate-totals.ts",
      "pools/rejections.ts",
    ],
    assembly: [
      "pools/followed.ts",
      "pools/moves-with-time.ts",
      "pools/shared-totals.ts",
      "pools/shared-wallets.ts",
      "pools/pool-use-gas.ts",
    ],
  },
  venues: {
    shared: ["reading", "discovery"],
    borrows: {
      algebra: ["uniswap-v3"],
      "algebra-v1": ["algebra", "uniswap-v3"],
      "balancer-v3-buffer": ["balancer-v3"],
      "curve-cryptoswap": ["curve-stableswap"],
      "infinity-bin": ["infinity-cl", "liquidity-book", "uniswap-v4"],
      "infinity-cl": ["uniswap-v3", "uniswap-v4"],
      "pancake-stableswap": ["curve-stableswap"],
      "pancakeswap-v3": ["uniswap-v3"],
      "pangolin-v3": ["uniswap-v3"],
      ramses: ["uniswap-v3"],
      "savings-vault": ["erc4626"],
      slipstream: ["uniswap-v3"],
      "uniswap-v4": ["uniswap-v3"],
      "uniswap-v4-hooks": ["uniswap-v3", "uniswap-v4"],
    },
    importable: ["venues/venue.ts"],
    assembly: ["venues/index.ts"],
  },
};

/** Imports allowed between the folders beside src. test and bench share only what fixtures holds. */
const AROUND: Layers = {
  fixtures: [...Object.keys(MAY_IMPORT), "gen"],
  bench: ["fixtures", "cli", "compose", ...Object.keys(MAY_IMPORT), "gen"],
  tools: ["fixtures", "cli", "compose", ...Object.keys(MAY_IMPORT), "gen"],
  console: ["client", "domain"],
  examples: ["client"],
  test: ["fixtures", "tools", "console", "cli", "compose", "src itself", ...Object.keys(MAY_IMPORT), "gen"],
};

/** Imports from src that lead out of it. The console and the examples import `gen/` through the client alone. */
const OUT_OF_SOURCE = [
  ["src/api/", "gen/"],
  ["src/snapshot/", "gen/"],
  ["src/client/", "gen/"],
  ["src/cli/", "gen/"],
  ["src/settlement/artifacts.ts", "contracts/out/"],
  ["src/chain/simulation/trade-probe.ts", "contracts/out/"],
  ["src/ops/version.ts", "package.json"],
] as const;

/** Layers behind the door: they know nothing of how a call looks on the wire, nor a transaction as bytes. */
const BEHIND_THE_DOOR = ["domain", "math", "pools", "routing", "market", "quoting"];

/** Packages of the wire, by who may import them. */
const WIRE_PACKAGES = /^(@connectrpc|@grpc|@bufbuild)\//;
const WIRE = ["api", "snapshot", "client", "cli"];

/** Layers that put the others together. */
const KNOW_ALL = ["cli", "compose"];

/** Layers without input and output: no modules of Node. */
const PURE = ["domain", "math", "pools", "routing"];

/** Layers that may speak to a node through viem's clients; the others have `viem/utils` at most, which is pure. */
const VIEM = ["chain", "venues", "settlement", "devnet"];

/** Entries of the client for users of viem and wagmi: types alone, so that nothing of viem comes along. */
const VIEM_ENTRIES = ["src/client/viem.ts", "src/client/wagmi.ts"];

/** The folder that keeps state in files of SQLite: no other layer may know them. */
const SQLITE = "src/stores/sqlite/";

/** The folder that keeps state in PostgreSQL, and the packages that only it may import. */
const POSTGRES = "src/stores/postgres/";
const POSTGRES_PACKAGES = /^(pg|kysely)(\/|$)/;
/** The folder that speaks to Redis. */
const REDIS = "src/stores/redis/";

const PLACES = ["src", "fixtures", "test", "bench", "tools", "console/src", "examples"];
const tree = readTree(root, PLACES);
const source = tree.filter(({ path }) => path.startsWith("src/"));
/** The router is being rewritten: its sizes are held when that is done. */
const measured = source.filter(({ path }) => !path.startsWith("src/routing/"));
const imports = source.flatMap((file) =>
  file.imports.map(({ specifier }) => ({ file: file.path, layer: layerOf(file.path), target: specifier })),
);

const found = (wrong: (entry: { readonly layer: string; readonly target: string }) => boolean) =>
  imports.filter(wrong).map(({ file, target }) => `${file} imports ${target}`);

describe("the architecture", () => {
  it("is read: every layer of the tables has files and imports are found", () => {
    expect(imports.length).toBeGreaterThan(2_000);
    const layers = new Set(tree.map(({ path }) => layerOf(path)));
    const known = [...Object.keys(MAY_IMPORT), ...KNOW_ALL, ...Object.keys(AROUND), "src itself"];
    expect([...layers].sort()).toEqual(known.sort());
  });

  it("has no file that the tables do not know", () => {
    expect(unlistedFiles(source, FOLDERS, MODULES)).toEqual([]);
    const beside = Object.values({ ...FOLDERS, ...MODULES }).flatMap(({ importable, assembly }) => [
      ...importable,
      ...assembly,
    ]);
    const paths = new Set(source.map(({ path }) => path));
    expect(beside.filter((path) => !paths.has(`src/${path}`))).toEqual([]);
  });

  it("lets layers import only what the table allows", () => {
    const ofSource = importsAcrossLayers(source, MAY_IMPORT);
    expect(ofSource.filter((entry) => !/ imports .*(contracts\/out|package\.json)/.test(entry))).toEqual([]);
    expect(importsOutOfSource(source, OUT_OF_SOURCE)).toEqual([]);
  });

  it("keeps tests, benchmarks, tools, console and examples apart", () => {
    expect(importsAcrossLayers(tree, AROUND)).toEqual([]);
  });

  it.each(Object.entries(FOLDERS))("lets folders of %s import only those above them", (layer, rules) => {
    const inside = source.map(({ path }) => path.split("/")).filter((parts) => parts[1] === layer && parts.length > 3);
    expect([...new Set(inside.map((parts) => parts[2]))].sort()).toEqual([...rules.folders].sort());
    expect(importsAgainstOrder(source, layer, rules)).toEqual([]);
  });

  it.each(Object.entries(MODULES))("keeps what is in %s apart", (layer, rules) => {
    expect(importsBetweenModules(source, layer, rules)).toEqual([]);
    expect(unusedBorrows(source, layer, rules)).toEqual([]);
  });

  it("keeps input and output out of the pure layers", () => {
    expect(found(({ layer, target }) => PURE.includes(layer) && !target.startsWith("."))).toEqual([]);
  });

  it("keeps viem in the layers that speak to a node", () => {
    const elsewhere = (layer: string) => layer in MAY_IMPORT && !VIEM.includes(layer);
    const wrong = found(({ layer, target }) => elsewhere(layer) && /^viem(\/(?!utils$)|$)/.test(target));
    expect(wrong).toEqual(VIEM_ENTRIES.map((path) => `${path} imports viem`));
    for (const path of VIEM_ENTRIES)
      expect(readFileSync(join(root, path), "utf8")).not.toMatch(/^import (?!type ).* from "viem/m);
  });

  it("keeps SQLite in the folder that keeps state in its files", () => {
    const sqlite = found(({ target }) => target === "node:sqlite");
    expect(sqlite.length).toBeGreaterThan(0);
    expect(sqlite.filter((entry) => !entry.startsWith(SQLITE))).toEqual([]);
  });

  it("keeps PostgreSQL in the folder that keeps state there", () => {
    const postgres = found(({ target }) => POSTGRES_PACKAGES.test(target));
    expect(postgres.length).toBeGreaterThan(0);
    expect(postgres.filter((entry) => !entry.startsWith(POSTGRES))).toEqual([]);
  });

  it("keeps Redis in the folder that speaks to it", () => {
    const redis = found(({ target }) => target === "ioredis");
    expect(redis.length).toBeGreaterThan(0);
    expect(redis.filter((entry) => !entry.startsWith(REDIS))).toEqual([]);
  });

  it("keeps packages of the wire at the door", () => {
    expect(found(({ layer, target }) => !WIRE.includes(layer) && WIRE_PACKAGES.test(target))).toEqual([]);
  });

  it("keeps no state and no scratch memory at the top level of a module", () => {
    expect(source.flatMap(moduleMemory).sort()).toEqual([...MODULE_MEMORY].sort());
  });

  it("knows nothing of the wire behind the door", () => {
    // Fields of a curve's saved state are that file's codec.
    const isCodec = (path: string) => /^src\/pools\/.*(state-field|fields)\.ts$/.test(path);
    const behind = source.filter(({ path }) => BEHIND_THE_DOOR.includes(layerOf(path)) && !isCodec(path));
    expect(behind.flatMap(wireFacts).sort()).toEqual([...WIRE_FACTS].sort());
  });

  it("has no folder that one cannot take in", () => {
    const sizes = folderSizes(root, PLACES, Object.keys(MODULES));
    expect(complaintsAboutSizes(sizes, ENTRIES, FOLDERS_ABOVE_THE_LIMIT)).toEqual([]);
  });

  it("has no file that one cannot take in", () => {
    const sizes = new Map(measured.map(({ path, lines }) => [path, lines]));
    expect(complaintsAboutSizes(sizes, LINES_OF_FILE, FILES_ABOVE_THE_LIMIT)).toEqual([]);
  });

  it("has no function that does several things without naming them, nor one that takes what should travel together", () => {
    const functions = measured.flatMap(functionsOf);
    expect(complaintsAboutSizes(functionSizes(functions, "lines"), LINES_OF_FUNCTION, LONG_FUNCTIONS)).toEqual([]);
    expect(complaintsAboutSizes(functionSizes(functions, "parameters"), PARAMETERS, WIDE_FUNCTIONS)).toEqual([]);
  });

  it("holds what several layers implement to one suite", () => {
    const seams = seamsOf(source);
    const shared = seams.filter(isShared).map(({ name }) => name);
    expect(shared).toEqual(expect.arrayContaining(["KeyDatabase", "LiquiditySource", "Simulator", "TokenRegistry"]));
    expect(implementationsUnheld(seams, tree).toSorted()).toEqual(WITHOUT_SUITE);
  });

  it("asks for a curve by its name only where its pools are made", () => {
    const asking = source.flatMap(({ path }) => {
      const isMaking = ["venues", "makers", "devnet"].includes(layerOf(path) ?? "");
      return !isMaking && /\bcurve [!=]== "/.test(readFileSync(join(root, path), "utf8")) ? [path] : [];
    });
    expect(asking).toEqual([]);
  });

  it("puts market, router and settlement together in one file", () => {
    const quoting = "src/quoting/quoting.ts";
    const makers = tree.filter(({ imports: each }) => each.some(({ target }) => target === quoting));
    const elsewhere = makers.map(({ path }) => path).filter((path) => !path.startsWith("test/quoting/"));
    expect(elsewhere).toEqual(["src/compose/engine.ts"]);
  });

  it("shows in docs/architecture.md the table that is tested here", () => {
    const page = readFileSync(join(root, "docs", "architecture.md"), "utf8");
    const rows = [...page.matchAll(/^\| `src\/([a-z]+)` \|[^|]*\| ([^|]+) \|$/gm)];
    const shown = Object.fromEntries(
      rows
        .filter((row) => row[2] !== "everything")
        .map((row) => [row[1], row[2] === "nothing" ? [] : (row[2] as string).split(", ")]),
    );
    expect(shown).toEqual(MAY_IMPORT);
    for (const [layer, { folders }] of Object.entries(FOLDERS)) {
      const listed = [...page.matchAll(new RegExp(`^\\| .src/${layer}/([a-z]+). \\|`, "gm"))].map((row) => row[1]);
      expect(listed).toEqual(folders);
    }
  });
});
