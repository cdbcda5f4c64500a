import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRandom, type Random } from "../../fixtures/random.ts";
import type { Address } from "../../src/domain/address.ts";
import { SwapError } from "../../src/domain/errors/swap-error.ts";
import { fillsOf, type Route, SHARE_ONE } from "../../src/domain/route.ts";
import { mathOf, type Pool, servesExactOut } from "../../src/pools/pool.ts";
import type { Direction } from "../../src/pools/pool-math.ts";
import type { QuoteAnswer } from "../../src/quoting/answer/types.ts";
import type { SwapTransaction } from "../../src/quoting/ports.ts";
import { evaluatePlan } from "../../src/routing/plan/execution.ts";
import { testAccount } from "../support/worlds/swap-world.ts";
import { type ColdWorld, type NodeKind, startColdWorld } from "./cold-world.ts";
import { directionsOf } from "./in-use.ts";
import { DEVNET_TOKENS, randomRequest } from "./random/random-request.ts";

/**
 * A quote's own gas suffices where everything is cold: slots of pools that were never written, sellers and fee recipients
 * that are new to what they get, blocks that come later. CASES and SEED in the environment change the run; TRIBUTARY_LONG=1
 * makes it 20,000 routes and 11,000 quotes.
 */
const CASES = Number(process.env.CASES ?? (process.env.TRIBUTARY_LONG === "1" ? 20_000 : 160));
const SEED = Number(process.env.SEED ?? 20_261_127);
const FEE_RECIPIENT = testAccount(7_000);
/** Seconds from the quoted block to the one that a transaction is mined in. */
const LATER = [0, 1, 12, 110];
/** Parts of its rate that a trade leaves of the first pool's. */
const LEFT = [0.99999, 0.999, 0.97, 0.5];
const MAX_OF_USED = 3;

let world: ColdWorld;

beforeAll(async () => {
  world = await startColdWorld();
}, 300_000);
afterAll(() => world?.stop());

/** Sends a transaction with so much gas from the sold token's seller, some time later, and takes it back. */
async function send({ to, data, value }: SwapTransaction, seller: Address, gas: bigint, random: Random): Promise<Sent> {
  const { devnet, snapshot } = world;
  const transaction = { to, data, value };
  return devnet.rolledBack(async () => {
    const later = Number(snapshot.block.timestamp) + random.pick(LATER);
    await devnet.setNextTimestamp(later);
    const { succeeded, gasUsed } = await devnet.sendTransaction(seller, { ...transaction, gas });
    if (succeeded) return { succeeded, ratio: Number(gas) / Number(gasUsed), why: "" };
    await devnet.setNextTimestamp(later + 1);
    const again = await devnet.sendTransaction(seller, transaction);
    const why = again.succeeded ? `${gas} gas, ${again.gasUsed} used` : `fails anyway: ${again.revertData}`;
    return { succeeded, ratio: 0, why };
  });
}

interface Sent {
  readonly succeeded: boolean;
  /** The limit by what was used. */
  readonly ratio: number;
  readonly why: string;
}

/** Results of a run; `failed` tells each failure's seed. */
class Tally {
  readonly failed: string[] = [];
  readonly #ratios: number[] = [];
  readonly #used = new Map<string, number>();

  add(seed: number, sent: Sent, sources: Iterable<string>): void {
    if (sent.succeeded) this.#ratios.push(sent.ratio);
    else this.failed.push(`seed ${seed}: ${sent.why}`);
    for (const source of new Set(sources)) this.#used.set(source, (this.#used.get(source) ?? 0) + 1);
  }

  get sources(): ReadonlySet<string> {
    return new Set(this.#used.keys());
  }

  /** The limit by what was used, at a part of all. */
  at(part: number): number {
    const ranked = this.#ratios.toSorted((a, b) => a - b);
    return ranked[Math.floor(part * (ranked.length - 1))]!;
  }

  print(name: string): void {
    const parts = [0, 0.01, 0.1, 0.5, 0.9, 0.99, 1].map((part) => `${100 * part} %: ${this.at(part).toFixed(2)}`);
    const count = this.#ratios.length + this.failed.length;
    process.stdout.write(
      `${name}: ${count} sent, ${this.failed.length} failed, limit by used ${parts.join(", ")}; ` +
        `${JSON.stringify(Object.fromEntries(this.#used))}\n`,
    );
  }
}

interface PoolUse {
  readonly pool: Pool;
  readonly direction: Direction;
  readonly share: bigint;
}

const soldBy = ({ pool, direction }: PoolUse) => pool.tokens[direction.sell]!;
const boughtBy = ({ pool, direction }: PoolUse) => pool.tokens[direction.buy]!;

/** One to three pools in a row, whichever they are. */
function randomLine(random: Random, pools: readonly Pool[]): readonly PoolUse[] {
  const source = random.pick([...new Set(pools.map((pool) => pool.source))]);
  const first = random.pick(pools.filter((pool) => pool.source === source));
  const line: PoolUse[] = [{ pool: first, direction: random.pick(directionsOf(first)), share: SHARE_ONE }];
  const seen = new Set([soldBy(line[0]!), boughtBy(line[0]!)]);
  for (const length = random.pick([1, 1, 2, 3]); line.length < length; ) {
    const at = boughtBy(line.at(-1)!);
    const pool = random.pick(pools.filter(({ tokens }) => tokens.includes(at)));
    const buys = pool.tokens.flatMap((token, buy) => (seen.has(token) ? [] : [buy]));
    if (buys.length === 0) return line;
    const direction = { sell: pool.tokens.indexOf(at), buy: random.pick(buys) };
    seen.add(pool.tokens[direction.buy]!);
    line.push({ pool, direction, share: SHARE_ONE });
  }
  return line;
}

function randomRoute(random: Random): Route | undefined {
  const { graph } = world.snapshot;
  const kind = random.pick(["exactIn", "exactOut"] as const);
  const line = randomLine(random, kind === "exactIn" ? graph.all() : graph.all().filter(servesExactOut));
  const { pool, direction } = line[0]!;
  const curve = mathOf(pool).curve(pool.state, direction, graph.time);
  if (curve === undefined) return undefined;
  const [sellToken, buyToken] = [soldBy(line[0]!), boughtBy(line.at(-1)!)];
  const wanted = curve.sellAmountAtRate(curve.marginalRate(0) * random.pick(LEFT));
  const sellAmount = BigInt(Math.floor(Math.min(wanted, curve.maxSell / 4, Number(world.heldOf(sellToken)) / 2)));
  if (sellAmount === 0n) return undefined;
  const sold = evaluatePlan(line, { kind: "exactIn", sellToken, buyToken, sellAmount }, graph.time);
  if ("broken" in sold || sold.buyAmount < 100n || kind === "exactIn") return "broken" in sold ? undefined : sold;
  const order = { kind, sellToken, buyToken, buyAmount: (sold.buyAmount * 9n) / 10n } as const;
  const bought = evaluatePlan(line.toReversed(), order, graph.time);
  return "broken" in bought ? undefined : bought;
}

async function sendRoute(route: Route, random: Random): Promise<Sent> {
  const { settlement, snapshot, sources } = world;
  const { sellToken, buyToken, sellAmount, kind } = route;
  const fee = random.chance(0.4) ? { ratePpm: 1_500n, recipient: FEE_RECIPIENT } : undefined;
  const seller = world.sellerOf(sellToken);
  const terms = {
    ...{ sellToken, buyToken, minBuyAmount: 1n, recipient: seller, deadline: 2n ** 40n },
    maxSellAmount: kind === "exactIn" ? sellAmount : sellAmount + sellAmount / 100n + 1n,
    ...(fee && { fee }),
  };
  const poolOf = (id: string) => snapshot.graph.pool(id)!;
  const transaction = settlement.encode(route, terms, (fill) =>
    sources.get(fill.source)!.action(poolOf(fill.poolId), fill),
  );
  return send(transaction, seller, settlement.gasLimit(route, terms, poolOf), random);
}

it(`the model's limit suffices for ${CASES} routes over any pools`, { timeout: 120_000 + CASES * 1_000 }, async () => {
  const tally = new Tally();
  for (let attempt = 0, sent = 0; sent < CASES; attempt++) {
    const random = createRandom(SEED + attempt);
    const route = randomRoute(random);
    if (route === undefined) continue;
    sent += 1;
    tally.add(
      SEED + attempt,
      await sendRoute(route, random),
      fillsOf(route).map(({ source }) => source),
    );
  }
  tally.print("routes over any pools");
  expect(tally.failed).toEqual([]);
  expect(tally.at(1)).toBeLessThan(MAX_OF_USED);
  expect([...tally.sources].sort()).toEqual([...world.sources.keys()].sort());
});

describe.each<readonly [string, NodeKind, boolean, number]>([
  ["not simulated", "simulating", true, 0.3],
  ["simulated", "simulating", false, 0.1],
  ["estimated only, since the node cannot simulate", "estimating", false, 0.1],
  ["neither simulated nor estimated", "neither", false, 0.05],
])("quotes that are %s", (name, node, skipValidation, part) => {
  const count = Math.ceil(CASES * part);

  it(`suffice with their own gas, ${count} of them`, { timeout: 120_000 + count * 5_000 }, async () => {
    const tally = new Tally();
    world.setNode(node);
    for (let attempt = 0, sent = 0; sent < count; attempt++) {
      const random = createRandom(SEED + attempt);
      const answer = await quoteOf(random, skipValidation);
      if (answer === undefined) continue;
      sent += 1;
      const seller = world.sellerOf(answer.sellToken.address);
      expect(answer.gas).toBeGreaterThanOrEqual(answer.estimatedGas);
      expect(answer.issues.simulationIncomplete).toBe(node !== "simulating" && !skipValidation);
      tally.add(
        SEED + attempt,
        await send(answer, seller, answer.gas, random),
        answer.route.fills.map((fill) => fill.source),
      );
    }
    tally.print(`quotes that are ${name}`);
    expect(tally.failed).toEqual([]);
  });
});

/** A random quote that its seller can pay for; undefined where there is none. */
async function quoteOf(random: Random, skipValidation: boolean): Promise<QuoteAnswer | undefined> {
  const request = randomRequest(random, DEVNET_TOKENS, { taker: FEE_RECIPIENT, feeRecipient: FEE_RECIPIENT });
  const taker = world.sellerOf(request.sellToken.address);
  try {
    const answer = await world.quote({ ...request, taker, skipValidation });
    return answer.maxSellAmount > world.heldOf(request.sellToken.address) ? undefined : answer;
  } catch (error) {
    if (error instanceof SwapError && error.kind !== "UNAVAILABLE") return undefined;
    throw error;
  }
}
