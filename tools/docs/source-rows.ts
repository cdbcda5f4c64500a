import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { knownChains, readChainRecord } from "../../src/chain/chains/known-chains.ts";
import { devnetChain } from "../../src/devnet/chain.ts";
import { makersFileOf } from "../../src/devnet/maker/records.ts";
import { devnetLayout } from "../../src/devnet/markets/devnet-layout.ts";
import { devnetAccounts } from "../../src/devnet/node/accounts.ts";
import { type Address, ZERO_ADDRESS } from "../../src/domain/address.ts";
import type { MakerRecord } from "../../src/makers/maker-record.ts";
import { makerSource } from "../../src/makers/maker-source.ts";
import type { LiquiditySource } from "../../src/market/liquidity-source.ts";
import { createSources, MAKER_ABOUTS, VENUES } from "../../src/venues/index.ts";
import type { VenueAbout } from "../../src/venues/venue.ts";
import { ROOT, readTriedCases, sumOfCases } from "./tried-cases.ts";

/** One kind of source: what is written of it, and what it says of itself. */
export interface SourceRow extends VenueAbout {
  /** A protocol of venue records, or a kind of makers. */
  readonly id: string;
  /** Names of the devnet's sources of this kind. */
  readonly inDevnet: readonly string[];
  readonly source: Pick<LiquiditySource, "kind" | "exactOut" | "assurance">;
}

/** Every kind of source that a chain or an operator can name, as it stands in the devnet or, where that has none, elsewhere. */
export function sourceRows(): readonly SourceRow[] {
  const chain = devnetChain(devnetLayout(devnetAccounts().whale), 2_000);
  const made = new Map(createSources(chain).map((source) => [source.id, source]));
  const venues = VENUES.map(({ protocol: id, about }): SourceRow => {
    const own = chain.venues.filter((venue) => venue.protocol === id);
    const source = own.map((venue) => made.get(venue.source)).find((each) => each !== undefined) ?? elsewhere(id);
    if (source === undefined)
      throw new Error(`${id}: put one on the devnet (src/devnet/chain.ts) or into a chain's record`);
    return { id, ...about, inDevnet: own.map((venue) => venue.source), source };
  });
  const makers = devnetMakers().map(({ name, levelsUrl }) => ({
    name,
    source: makerSource(recordOf(name, levelsUrl)),
  }));
  return [
    ...venues,
    ...Object.entries(MAKER_ABOUTS).map(([id, kind]): SourceRow => {
      const own = makers.filter(({ source }) => source.kind === id);
      if (own[0] === undefined) throw new Error(`no maker of the devnet is of the kind ${id}`);
      return { id, ...kind, inDevnet: own.map(({ name }) => name), source: own[0].source };
    }),
  ];
}

/** A source of the kind, of a chain whose record comes along. */
function elsewhere(protocol: string): LiquiditySource | undefined {
  for (const name of knownChains()) {
    const record = readChainRecord({ name }, VENUES);
    const venue = record.venues.find((each) => each.protocol === protocol);
    if (venue !== undefined) return createSources({ ...record, venues: [venue] })[1];
  }
  return undefined;
}

/** The rows of the table of docs/sources.md, with its head. */
export function sourceTable(): readonly (readonly string[])[] {
  const tried = readTriedCases();
  return [
    [
      ...["source", "in the devnet", "kind", "pools", "exact-out", "assurance", "read again for every block"],
      ...["held against", "cases tried", "differences"],
    ],
    ...sourceRows().map(({ id, inDevnet, source, pools, rereads, truth, tests }) => {
      for (const test of tests) if (!existsSync(join(ROOT, test))) throw new Error(`${id}: no test ${test}`);
      const { cases, differences } = sumOfCases(tried, id);
      return [
        ...[`\`${id}\``, inDevnet.join(", "), source.kind, pools],
        ...[source.exactOut ? "yes" : "no", source.assurance, rereads],
        `${truth}: ${tests.map((test) => `[${basename(test)}](../${test})`).join(", ")}`,
        ...[cases.toLocaleString("en"), String(differences)],
      ];
    }),
  ];
}

/** Contracts of ours that add nothing to the arithmetic of one that is not, with that one. */
const INHERITED: Readonly<Record<string, string>> = {
  DevnetVault: "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol",
};

/** Whether we wrote what a compiled contract does with amounts. */
export function isOurs(contract: string): boolean {
  for (const folder of ["bundle", "balancer-v3"])
    if (existsSync(join(ROOT, "contracts", folder, `${contract}.json`))) return false;
  const { sourceName } = JSON.parse(readFileSync(join(ROOT, "contracts", "out", `${contract}.json`), "utf8")) as {
    readonly sourceName: string;
  };
  const inherited = INHERITED[contract];
  if (inherited === undefined) return true;
  const text = readFileSync(join(ROOT, sourceName), "utf8");
  const functions = [...text.matchAll(/\bfunction (\w+)/g)].map(([, name]) => name);
  return !text.includes(`"${inherited}"`) || functions.some((name) => name !== "_decimalsOffset");
}

function devnetMakers(): readonly { readonly name: string; readonly levelsUrl?: string }[] {
  const url = "http://127.0.0.1";
  const maker = { levelsUrl: url, ordersUrl: url, account: ZERO_ADDRESS, askedPairs: [], authorization: "" };
  const file = makersFileOf({ ...maker, stop: async () => {} }, ZERO_ADDRESS);
  return (JSON.parse(file) as { makers: { name: string; levelsUrl?: string }[] }).makers;
}

function recordOf(name: string, levelsUrl: string | undefined): MakerRecord {
  const accounts: readonly Address[] = [];
  return {
    ...{ name, pairs: [], ordersUrl: new URL("http://127.0.0.1"), accounts, signers: accounts, erc1271: false },
    ...{ headers: {}, allowPrivateNetwork: true },
    levels: levelsUrl === undefined ? undefined : { transport: "socket", url: new URL(levelsUrl) },
  };
}
