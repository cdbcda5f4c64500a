import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { CODECS, VENUES } from "../src/venues/index.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Which rooms of src/ a room may import from, besides itself. docs/architecture.md shows the same table. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  math: ["domain"],
  pools: ["domain", "math"],
  routing: ["domain", "math", "pools"],
  market: ["domain", "math", "pools", "routing"],
  quoting: ["domain", "math", "pools", "routing", "market"],
  venues: ["domain", "math", "pools", "market", "settlement"],
  snapshot: ["domain", "math", "pools", "market", "gen"],
  makers: ["domain", "math", "pools", "market", "quoting", "ops"],
  chain: ["domain", "market", "quoting", "ops"],
  settlement: ["domain", "math", "pools", "quoting"],
  api: ["domain", "quoting", "ops", "gen"],
  stores: ["domain", "quoting", "api", "ops"],
  ops: ["domain"],
  devnet: ["domain", "math", "chain", "settlement", "venues", "ops"],
  client: ["domain", "gen"],
};

/** The chambers of rooms that have some: each may import those above it in its list, and the room's words. */
const CHAMBERS: Readonly<Record<string, { readonly chambers: readonly string[]; readonly words: readonly string[] }>> =
  {
    routing: {
      chambers: ["edges", "rest", "graph", "session", "flow", "plan", "paths", "bound", "charge", "search"],
      words: ["routing/router.ts", "routing/network-cost.ts"],
    },
    chain: {
      chambers: ["chains", "rpc", "node", "state", "pools", "blocks", "simulation", "tokens", "audit"],
      words: [],
    },
    quoting: {
      chambers: ["answer", "cost", "search", "price", "quote", "record", "watch"],
      words: ["quoting/ports.ts"],
    },
    cli: {
      chambers: ["connection", "view", "checks", "commands"],
      words: ["cli/command.ts", "cli/command-options.ts", "cli/swap-command.ts"],
    },
    api: {
      chambers: ["errors", "usage", "keys", "rest", "docs", "limits", "parameters", "calls", "http", "rpc"],
      words: [],
    },
    stores: {
      chambers: ["sqlite", "memory"],
      words: [],
    },
  };

/** Venues that are made of another one's parts, with that one; `reading` and `discovery` belong to all. */
const VENUES_OF_VENUES: Readonly<Record<string, string>> = {
  algebra: "uniswap-v3",
  "balancer-v3-buffer": "balancer-v3",
  "curve-cryptoswap": "curve-stableswap",
  "pancakeswap-v3": "uniswap-v3",
  slipstream: "uniswap-v3",
  "uniswap-v4": "uniswap-v3",
};

/** What a venue's folder has at the least: one that chains list, and one that is only traded at. */
const PARTS = {
  listed: ["about.ts", "index.ts", "record.ts", "source.ts"],
  traded: ["action.ts", "index.ts", "verify.ts"],
} as const;

/** Where venues' words are those of something else: curves of the same name, and the devnet's contracts. */
const OTHER_NAMES = ["venues", "pools", "snapshot", "devnet"];
/** Files that name a curve where it is called as a venue is. */
const CURVES_NAMED = ["routing/search/proven-between-ends.ts", "settlement/gas-limit.ts"];

/** Rooms that put the others together. */
const KNOW_ALL = ["cli", "compose"];

/** Rooms without input and output: no modules of Node. */
const PURE = ["domain", "math", "pools", "routing"];

/** Rooms that may speak to a node through viem's clients; the others have `viem/utils` at most, which is pure. */
const VIEM = ["chain", "venues", "settlement", "devnet"];

/** The chamber that keeps state in files of SQLite: no other room may know them. */
const SQLITE = "stores/sqlite/";

/** Static imports and exports, bare imports, dynamic imports. */
const IMPORTS = [
  /^(?:import|export)\s[^;"]*?\bfrom\s+"([^"]+)"/gm,
  /^import\s+"([^"]+)"/gm,
  /\bimport\(\s*"([^"]+)"\s*\)/g,
];

interface Import {
  readonly file: string;
  readonly room: string;
  readonly target: string;
}

const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" }).filter((file) =>
  file.endsWith(".ts"),
);
const imports: readonly Import[] = files.flatMap((file) => {
  const text = readFileSync(join(root, "src", file), "utf8");
  const targets = IMPORTS.flatMap((form) => [...text.matchAll(form)].map((match) => match[1] as string));
  return targets.map((target) => ({ file, room: file.includes("/") ? (file.split("/")[0] as string) : "", target }));
});

function roomOf({ file, target }: Import): string | undefined {
  if (target.startsWith("#gen/")) return "gen";
  if (!target.startsWith(".")) return undefined;
  const path = normalize(join("src", dirname(file), target));
  if (path.startsWith("gen/")) return "gen";
  if (!path.startsWith("src/")) return undefined;
  return path.split("/").length > 2 ? path.split("/")[1] : "the top";
}

/** The folders that are venues: those with an index. */
function venueFolders(): readonly string[] {
  return files.flatMap((file) => /^venues\/([^/]+)\/index\.ts$/.exec(file)?.[1] ?? []);
}

const found = (wrong: (entry: Import) => boolean) =>
  imports.filter(wrong).map(({ file, target }) => `src/${file} imports ${target}`);

describe("the house", () => {
  it("is read: every room of the table has files and imports are found", () => {
    expect(imports.length).toBeGreaterThan(100);
    for (const room of Object.keys(MAY_IMPORT))
      expect(
        files.some((file) => file.startsWith(`${room}/`)),
        room,
      ).toBe(true);
  });

  it("has no rooms that the table does not know", () => {
    const rooms = new Set(files.filter((file) => file.includes("/")).map((file) => file.split("/")[0] as string));
    expect([...rooms].filter((room) => !(room in MAY_IMPORT) && !KNOW_ALL.includes(room))).toEqual([]);
  });

  it("lets rooms import only what the table allows", () => {
    const wrong = found((entry) => {
      const allowed = MAY_IMPORT[entry.room];
      const target = roomOf(entry);
      return allowed !== undefined && target !== undefined && target !== entry.room && !allowed.includes(target);
    });
    expect(wrong).toEqual([]);
  });

  it.each(Object.entries(CHAMBERS))("lets chambers of %s import only those above them", (room, { chambers, words }) => {
    const chamberOf = (path: string) =>
      path.startsWith(`${room}/`) ? /^[a-z]+\/([a-z]+)\//.exec(path)?.[1] : undefined;
    const inside = files.map(chamberOf).filter((chamber) => chamber !== undefined);
    expect([...new Set(inside)].sort()).toEqual([...chambers].sort());
    const wrong = found(({ file, target }) => {
      const path = normalize(join(dirname(file), target));
      if (chamberOf(file) === undefined || !path.startsWith(`${room}/`)) return false;
      const chamber = chamberOf(path);
      if (chamber === undefined) return !words.includes(path);
      return chambers.indexOf(chamber) > chambers.indexOf(chamberOf(file) as string);
    });
    expect(wrong).toEqual([]);
  });

  it("has venues as folders with all of their parts, each listed once in the index", () => {
    const folders = venueFolders();
    expect(folders.length).toBeGreaterThan(15);
    const listed = VENUES.map(({ protocol }) => protocol as string);
    const index = imports.filter(({ file }) => file === "venues/index.ts").map(({ target }) => target);
    for (const folder of folders) {
      const parts = files.filter((file) => dirname(file) === `venues/${folder}`).map((file) => basename(file));
      const isListed = parts.includes("record.ts");
      expect(parts, folder).toEqual(expect.arrayContaining([...PARTS[isListed ? "listed" : "traded"]]));
      expect(
        index.filter((target) => target === `./${folder}/index.ts`),
        folder,
      ).toHaveLength(1);
    }
    expect(new Set(listed).size).toBe(listed.length);
    expect(listed.length).toBe(folders.filter((folder) => files.includes(`venues/${folder}/record.ts`)).length);
  });

  it("lets a venue use parts of one other at the most, and only of the one that is named here", () => {
    const folders = venueFolders();
    const folderOf = (path: string) => folders.find((folder) => path.startsWith(`venues/${folder}/`));
    const between = imports.flatMap(({ file, target }) => {
      const [from, to] = [folderOf(file), folderOf(normalize(join(dirname(file), target)))];
      return from === undefined || to === undefined || from === to ? [] : [`${from} uses ${to}`];
    });
    const allowed = Object.entries(VENUES_OF_VENUES).map(([from, to]) => `${from} uses ${to}`);
    expect([...new Set(between)].sort()).toEqual(allowed.sort());
  });

  it("lets nobody outside know a venue but through the index", () => {
    expect(
      found(({ file, target }) => {
        const path = normalize(join(dirname(file), target));
        return !file.startsWith("venues/") && /^venues\/[^/]+\//.test(path);
      }),
    ).toEqual([]);
    const actions = CODECS.flatMap(({ encoder }): readonly string[] => encoder.actions);
    const names = new Set([...venueFolders(), ...VENUES.map(({ protocol }) => protocol), ...actions]);
    // What a maker signs is an order everywhere.
    names.delete("maker-order");
    const outside = files.filter((file) => !OTHER_NAMES.some((room) => file.startsWith(`${room}/`)));
    const naming = outside.flatMap((file) => {
      const words = readFileSync(join(root, "src", file), "utf8").matchAll(/"([a-z0-9-]+)"/g);
      return [...words].some(([, word = ""]) => names.has(word)) ? [file] : [];
    });
    expect(naming.filter((file) => !CURVES_NAMED.includes(file))).toEqual([]);
  });

  it("has what a venue writes read back by code that shares nothing with it", () => {
    const valuesOf = (file: string) => {
      const text = readFileSync(join(root, "src", file), "utf8");
      return [...text.matchAll(/^import (?!type )[^;]*?"([^"]+)"/gm)].map(([, target = ""]) => basename(target));
    };
    const written = files.filter((file) => /^venues\/[^/]+\/action\.ts$/.test(file));
    expect(written.length).toBeGreaterThan(12);
    for (const file of written) {
      expect(valuesOf(file)).not.toContain("verify.ts");
      expect(valuesOf(file.replace("action.ts", "verify.ts"))).not.toContain("action.ts");
      expect(valuesOf(file.replace("action.ts", "verify.ts"))).not.toContain("action-codec.ts");
    }
  });

  it("keeps input and output out of the pure rooms", () => {
    expect(found(({ room, target }) => PURE.includes(room) && !target.startsWith("."))).toEqual([]);
  });

  it("keeps viem in the rooms that speak to a node", () => {
    const elsewhere = (room: string) => room in MAY_IMPORT && !VIEM.includes(room);
    expect(found(({ room, target }) => elsewhere(room) && /^viem(\/(?!utils$)|$)/.test(target))).toEqual([]);
  });

  it("keeps SQLite in the chamber that keeps state in its files", () => {
    const sqlite = found(({ target }) => target === "node:sqlite");
    expect(sqlite.length).toBeGreaterThan(0);
    expect(sqlite.filter((entry) => !entry.startsWith(`src/${SQLITE}`))).toEqual([]);
  });

  it("has no mutable state at the top level of a module", () => {
    const mutable = files.filter((file) =>
      /^(export )?(let|var) /m.test(readFileSync(join(root, "src", file), "utf8")),
    );
    expect(mutable).toEqual([]);
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
    for (const [room, { chambers }] of Object.entries(CHAMBERS)) {
      const listed = [...page.matchAll(new RegExp(`^\\| .src/${room}/([a-z]+). \\|`, "gm"))].map((row) => row[1]);
      expect(listed).toEqual(chambers);
    }
  });
});
