import type { DescMessage } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SwapService } from "#gen/swap/v1/swap_pb.ts";
import { type Door, openDoor } from "../../support/door/http.ts";
import { isMessage, type Method, type Protocol, protocolsAt, type Told } from "../../support/door/parameter-calls.ts";
import { LIMITS, STATE } from "./tables/limits.ts";
import { BATCH, LADDER, TOKENS } from "./tables/lists.ts";
import { CODES, type Given, type Meaning, type ParameterTable } from "./tables/row.ts";
import { SWAP, VALID } from "./tables/swap.ts";
import { TERMS } from "./tables/terms.ts";

/** Every parameter of every call, good, at its edges and bad, over every protocol. */
const OF_A_SWAP = ["getPrice", "getQuote", "watchPrice", "getPriceLadder", "batchGetPrices"] as const;
const TABLES: readonly (readonly [string, ParameterTable, readonly Method[]])[] = [
  ["a swap", SWAP, OF_A_SWAP],
  ["its terms", TERMS, OF_A_SWAP],
  ["limits of its route", LIMITS, OF_A_SWAP],
  ["the state that it is priced at", STATE, ["getPrice", "getPriceLadder"]],
  ["a ladder", LADDER, ["getPriceLadder"]],
  ["a batch", BATCH, ["batchGetPrices"]],
  ["a list of tokens", TOKENS, ["listTokens"]],
];

let door: Door;
let protocols: readonly Protocol[];
beforeAll(async () => {
  door = await openDoor();
  protocols = protocolsAt(door.origin);
});
afterAll(() => door.server.drain(1_000));

/** A way to make a call with the parameters of a row. */
interface Way {
  readonly name: string;
  readonly call: Protocol["call"];
  readonly method: Method;
  /** Whether the row stands in a batch, as one of its requests. */
  readonly isEntry: boolean;
  readonly given: Given;
}

/** Every call that has the parameters over REST, and one of these over each other protocol: they take turns. */
function waysFor(methods: readonly Method[], row: Given, at: number): readonly Way[] {
  const able = methods.filter((method) => isMessage(inputOf(method, methods), row));
  return protocols.flatMap(({ name, call, takesAnything }, turn) => {
    const some = able.length === 0 && takesAnything ? methods.slice(0, 1) : able;
    const chosen = turn === 0 ? some : some.slice((at + turn) % some.length).slice(0, 1);
    return chosen.map((method) => ({
      ...{ name: `${method} over ${name}`, call, method },
      isEntry: isEntry(method, methods),
      given: givenOf(method, methods, row),
    }));
  });
}

const isEntry = (method: Method, methods: readonly Method[]) => method === "batchGetPrices" && methods.length > 1;
const inputOf = (method: Method, methods: readonly Method[]) =>
  SwapService.method[isEntry(method, methods) ? "getPrice" : method].input;

/** The parameters of a row beside those that are accepted. */
function givenOf(method: Method, methods: readonly Method[], row: Given): Given {
  if (methods.length === 1) return row;
  const { sellAmount, ...pair } = VALID;
  const valid = method === "getPriceLadder" ? { ...pair, sellAmounts: [sellAmount] } : VALID;
  return Object.fromEntries(Object.entries({ ...valid, ...row }).filter(([, value]) => value !== undefined));
}

async function tell({ call, method, isEntry, given }: Way): Promise<Told> {
  if (!isEntry) return call(method, given);
  const { answer, problems } = await call(method, { requests: [given] });
  const [entry] = answer?.results ?? [];
  const refusal = entry?.refusal ?? (entry?.result?.case === "refusal" ? entry.result.value : undefined);
  return refusal === undefined ? { answer, problems } : { problems: refusal.validationErrors };
}

/** Meaning of the last request inside, and amounts of its answer. */
function meaningOf({ answer }: Told): Meaning {
  const { request, context } = door.quoting.asked.at(-1) ?? {};
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked at field by field
  const amountOf = ({ amount, price, result }: any) => amount ?? (price ?? result?.value)?.buyAmount;
  const block = context?.at?.block.number;
  return {
    ...request,
    ...{ block, query: door.listing.asked.at(-1), amounts: (answer.entries ?? answer.results)?.map(amountOf) },
  };
}

const pick = (meaning: Meaning, names: readonly string[]) => names.map((name) => [name, meaning[name]]);

describe.each(TABLES)("%s", (_table, { good, edge, bad }, methods) => {
  const accepted = [...good, ...edge].map(([name, row, meaning], at) => ({ name, row, meaning, at }));
  test.each(accepted)("$name: accepted", async ({ row, meaning, at }) => {
    const ways = waysFor(methods, row, at);
    for (const way of ways) {
      const told = await tell(way);
      expect(told.problems, way.name).toEqual([]);
      const names = Object.keys(meaning);
      expect(pick(meaningOf(told), names), way.name).toEqual(pick(meaning, names));
    }
    expect(ways.length).toBeGreaterThanOrEqual(protocols.length);
  });

  const refused = bad.map(([name, row, ...problems], at) => ({ name, row, problems, at }));
  test.each(refused)("$name: refused", async ({ row, problems, at }) => {
    const ways = waysFor(methods, row, at);
    const asked = [door.quoting.asked.length, door.listing.asked.length];
    const said = new Set<string>();
    for (const way of ways) {
      const told = await tell(way);
      expect(told.problems.map(reasonOf), way.name).toEqual(problems.map(([field, reason]) => [field, reason]));
      said.add(told.problems.map(({ description }) => description).join("\n"));
      told.problems.forEach((problem, place) => {
        expect(problem.description, way.name).toMatch(problems[place]?.[2] ?? /[.?]$/);
        if (problem.code !== undefined) expect(CODES[problem.code]).toContain(problem.reason);
      });
    }
    expect([door.quoting.asked.length, door.listing.asked.length]).toEqual(asked);
    expect(said.size).toBe(1);
    expect(ways.length).toBeGreaterThan(1);
  });
});

const reasonOf = ({ field, reason }: { readonly field: string; readonly reason: string }) => [field, reason];

/** Names of the parameters that rows give, of a kind. */
function named(kind: keyof ParameterTable, method: Method): ReadonlySet<string> {
  const tables = TABLES.filter(([, , methods]) => methods.includes(method));
  const rows = tables.flatMap(([, table]): readonly Given[] => table[kind].map(([, row]) => row));
  return new Set(rows.flatMap((row) => Object.keys(row)));
}

const METHODS = Object.keys(SwapService.method) as (keyof typeof SwapService.method)[];
test.each(METHODS)("each parameter of %s stands in a good, an edge and a bad row", (method) => {
  const { fields }: DescMessage = SwapService.method[method].input;
  const lacking = fields.flatMap(({ localName }) =>
    (["good", "edge", "bad"] as const).flatMap((kind) =>
      named(kind, method as Method).has(localName) ? [] : [`${localName}: no ${kind} row`],
    ),
  );
  expect(lacking).toEqual([]);
});
