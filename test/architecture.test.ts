import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Which rooms of src/ a room may import from, besides itself. docs/architecture.md shows the same table. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  math: ["domain"],
  pools: ["domain", "math"],
  routing: ["domain", "math", "pools"],
  market: ["domain", "math", "pools", "routing"],
  quoting: ["domain", "math", "pools", "routing", "market"],
  venues: ["domain", "math", "pools", "market"],
  snapshot: ["domain", "math", "pools", "market", "gen"],
  makers: ["domain", "math", "pools", "market", "quoting", "ops"],
  chain: ["domain", "market", "quoting", "ops", "snapshot"],
  settlement: ["domain", "math", "pools", "quoting"],
  api: ["domain", "quoting", "ops", "gen"],
  ops: ["domain"],
  devnet: ["domain", "math", "chain", "settlement", "ops"],
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
  };

/** Rooms that put the others together. */
const KNOW_ALL = ["cli", "compose"];

/** Rooms without input and output: no modules of Node. */
const PURE = ["domain", "math", "pools", "routing"];

/** Rooms that may speak to a node through viem's clients; the others have `viem/utils` at most, which is pure. */
const VIEM = ["chain", "venues", "settlement", "devnet"];

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

  it("keeps input and output out of the pure rooms", () => {
    expect(found(({ room, target }) => PURE.includes(room) && !target.startsWith("."))).toEqual([]);
  });

  it("keeps viem in the rooms that speak to a node", () => {
    const elsewhere = (room: string) => room in MAY_IMPORT && !VIEM.includes(room);
    expect(found(({ room, target }) => elsewhere(room) && /^viem(\/(?!utils$)|$)/.test(target))).toEqual([]);
  });

  it("has no mutable state at the top level of a module", () => {
    const mutable = files.filter((file) =>
      /^(export )?(let|var) /m.test(readFileSync(join(root, "src", file), "utf8")),
    );
    expect(mutable).toEqual([]);
  });

  it("asks for a curve by its name only where its pools are made", () => {
    const asking = files.filter((file) => {
      const isMaking = ["venues", "makers", "devnet"].some((room) => file.startsWith(`${room}/`));
      return !isMaking && /\bcurve [!=]== "/.test(readFileSync(join(root, "src", file), "utf8"));
    });
    expect(asking).toEqual([]);
  });

  it("has no working memory at the top level of a module of the pure rooms", () => {
    const memory =
      /^(?:export )?const \w+(?:: (?!readonly |Readonly)[^=]*)? = (?:new (?:Weak)?(?:\w*Array|Map|Set)\((?!0\))|\[\];|\w+\(\);)|^ {2}new WeakMap\(/m;
    const isPure = (file: string) => PURE.some((room) => file.startsWith(`${room}/`));
    const holding = files.filter((file) => isPure(file) && memory.test(readFileSync(join(root, "src", file), "utf8")));
    // What follows from a state alone and is kept as long as the state is: no answer depends on it.
    expect(holding).toEqual(["pools/concentrated/passed.ts"]);
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
