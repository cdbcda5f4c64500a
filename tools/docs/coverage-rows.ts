import { readFileSync } from "node:fs";
import { z } from "zod";
import { knownChains, readChainRecord } from "../../src/chain/chains/known-chains.ts";
import { createSources, VENUES } from "../../src/venues/index.ts";

/** Why a venue is not served. */
const WHY = {
  hooks: "no: hooks that change swaps are not modelled",
  ladder: "no: neither its addresses nor its interface are public; with both it is a line of the record",
  maker:
    "no: a market maker whose firm quotes promise no amount ([makers](makers.md#makers-with-protocols-of-their-own))",
  aggregator:
    "no: it has no liquidity of its own; its safes swap through OpenOcean (etherfi-protocol/cash-v3, OpenOceanSwapModule)",
} as const;

/** Pools of a served venue that are left out. */
const EXCEPT = {
  aqua: "except strategies for holders of some token alone, which many are, and programs with instructions that are not modelled",
  curves: "except its bonding curves, before a token has a pool",
  dodo: "except private pools, unless the operator allows their owners, and pools of its first and third version",
  curve: "except pools whose rates a contract answers with, unless the operator allows them, and unknown versions",
  ekubo: "except pools whose extensions change swaps, and those of version 2",
  hooks: "except pools whose hooks change swaps in a way that the record does not name",
  plugins: "except pools whose plugin is not of its deployer's own factory",
} as const;

const served = z.strictObject({
  name: z.string(),
  millionUsd: z.number(),
  sources: z.array(z.string()).min(1),
  except: z.enum(Object.keys(EXCEPT) as [keyof typeof EXCEPT]).optional(),
});
const unserved = z.strictObject({
  name: z.string(),
  millionUsd: z.number(),
  why: z.enum(Object.keys(WHY) as [keyof typeof WHY]),
});
const volumes = z.strictObject({
  source: z.string(),
  chains: z.array(
    z.strictObject({
      record: z.string(),
      millionUsd: z.number(),
      venues: z.array(z.union([served, unserved])),
    }),
  ),
});

const { chains } = volumes.parse(JSON.parse(readFileSync(new URL("./volumes.json", import.meta.url), "utf8")));

/** Reasons for which no aggregator can route over a venue, unless it is the venue's partner. */
const CLOSED: readonly (keyof typeof WHY)[] = ["ladder", "aggregator"];

/** Share of each chain's volume that its record's venues have, with the table's head. */
export function reachTable(): readonly (readonly string[])[] {
  return [
    [
      ...["chain", "volume, $M", "of itemised venues, $M", "of venues that are served, $M"],
      ...["of all", "of itemised", "of itemised that any aggregator could route"],
    ],
    ...chains.map(({ record, millionUsd, venues }) => {
      const sumOf = (counts: (venue: (typeof venues)[number]) => boolean) =>
        venues.filter(counts).reduce((sum, venue) => sum + venue.millionUsd, 0);
      const itemised = sumOf(() => true);
      const open = sumOf((venue) => !("why" in venue && CLOSED.includes(venue.why)));
      const reached = sumOf((venue) => "sources" in venue);
      return [
        ...[chainOf(record).name, amount(millionUsd), amount(itemised), amount(reached)],
        ...[millionUsd, itemised, open].map((whole) => share(reached, whole)),
      ];
    }),
  ];
}

/**
 * Each chain's largest venues, whether they are served, and why not, with the table's head.
 * @throws Error for a source that the chain's record does not have
 */
export function coverageTable(): readonly (readonly string[])[] {
  return [
    ["chain", "venue", "volume, $M", "share", "served"],
    ...chains.flatMap(({ record, millionUsd, venues }) => {
      const { name, sources } = chainOf(record);
      return venues.map((venue) => {
        const row = [name, venue.name, amount(venue.millionUsd), share(venue.millionUsd, millionUsd)];
        if ("why" in venue) return [...row, WHY[venue.why]];
        for (const id of venue.sources) if (!sources.has(id)) throw new Error(`${record} has no source ${id}`);
        const names = venue.sources.map((id) => `\`${id}\``).join(", ");
        return [...row, `yes: ${names}${venue.except === undefined ? "" : `, ${EXCEPT[venue.except]}`}`];
      });
    }),
  ];
}

/** The sources of every record that comes along, by protocol, with the table's head. */
export function recordTable(): readonly (readonly string[])[] {
  return [
    ["`CHAIN`", "protocol", "sources", "assurance"],
    ...knownChains().flatMap((record) => {
      const { venues, sources } = chainOf(record);
      return VENUES.flatMap(({ protocol }) => {
        const names = venues.filter((venue) => venue.protocol === protocol).map(({ source }) => source);
        const [first] = names;
        if (first === undefined) return [];
        const list = names.map((name) => `\`${name}\``).join(", ");
        return [[`\`${record}\``, `\`${protocol}\``, list, sources.get(first)?.assurance ?? ""]];
      });
    }),
  ];
}

function chainOf(name: string) {
  const record = readChainRecord({ name }, VENUES);
  const sources = new Map(createSources(record).map((source) => [source.id, source]));
  return { name: record.name, venues: record.venues, sources };
}

function amount(millionUsd: number): string {
  return millionUsd.toLocaleString("en");
}

function share(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(1)} %`;
}
