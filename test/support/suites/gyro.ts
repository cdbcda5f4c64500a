import { decodeFunctionResult } from "viem";
import { expect, test } from "vitest";
import { bundled } from "../../../src/devnet/contracts/bundle.ts";
import type { Address } from "../../../src/domain/address.ts";
import { gyroMath } from "../../../src/pools/gyro/math.ts";
import type { GyroKind, GyroState } from "../../../src/pools/gyro/state.ts";
import { type Direction, isRejection } from "../../../src/pools/pool-math.ts";
import { ellipseParameters, rootOfPrice } from "../../pools/gyro/arbitrary-gyro.ts";
import { type Anvil, startAnvil } from "../../venues/worlds/anvil.ts";
import {
  type BalancerPool,
  type BalancerWorld,
  deployBalancer,
  deployRateProvider,
  fill,
} from "../../venues/worlds/balancer.ts";
import { type MakeGyro, queryData } from "../../venues/worlds/gyro.ts";
import { mintedToken } from "../../venues/worlds/traffic/minted-tokens.ts";
import { createRandom, type Random } from "../../venues/worlds/traffic/random.ts";
import { countCases } from "./tried-cases.ts";

const LONG = process.env.TRIBUTARY_LONG === "1";
const POOLS = LONG ? 60 : 4;
const SWAPS = LONG ? 400 : 60;
const ONE = 10n ** 18n;

/** Contracts that are compared, and the first seed. `rated`: pools of two tokens have rate providers. */
interface GyroCase {
  readonly what: string;
  readonly seed: number;
  readonly kind: GyroKind;
  readonly rated: boolean;
  readonly deploy: (anvil: Anvil, world: BalancerWorld) => Promise<MakeGyro>;
}

/** Our numbers against what the vault says that swaps in pools of the contracts move, over balances of every size. */
export function testGyro({ what, seed, kind, rated, deploy }: GyroCase): void {
  test(`${what}: swaps in a pool of ${kind} cost and pay what is said`, async () => {
    const anvil = await startAnvil();
    try {
      const random = createRandom(seed);
      const tried = countCases("balancer-v2", `gyro-${what}-${kind}`, seed);
      const world = await deployBalancer(anvil);
      const make = await deploy(anvil, world);
      const decimals = new Map<Address, number>();
      for (const each of [18, 6, 8, 18]) decimals.set(await mintedToken(anvil, each), each);
      const seen = { in: 0, out: 0, most: 0, refused: 0 };
      for (let count = 0; count < POOLS; count++) {
        const { pool, state } = await randomPool({ anvil, world, make, decimals, random, kind, rated });
        const cases = Array.from({ length: SWAPS }, () => anySwap(state, random));
        const at = await anvil.head();
        // Each by itself: an old build burns all gas of a call that it refuses.
        const answers = await Promise.all(
          cases.map(({ direction: { sell, buy }, exactIn, amount }) => {
            const pair = [pool.tokens[sell] as Address, pool.tokens[buy] as Address];
            const data = queryData(anvil.account, { poolId: pool.poolId, exactIn, amount, pair });
            return anvil.reader.calls([{ to: world.vault, data }], at);
          }),
        );
        for (const [i, { direction, exactIn, amount, isMost }] of cases.entries()) {
          const data = answers[i]?.[0];
          const deltas = data && (decodeFunctionResult({ ...QUERY, data }) as readonly bigint[]);
          const moved = deltas && (exactIn ? -(deltas[1] as bigint) : (deltas[0] as bigint));
          const quote = gyroMath[exactIn ? "quoteExactIn" : "quoteExactOut"](state, direction, amount, 0n);
          const where = JSON.stringify({ direction, exactIn, amount, state }, (_, value: unknown) =>
            typeof value === "bigint" ? String(value) : value,
          );
          if (isRejection(quote)) {
            expect(quote.rejected, where).toBe("TOO_SMALL");
            expect(moved ?? 0n, where).toBe(0n);
            seen.refused++;
            continue;
          }
          tried.same(quote.amount, moved, where);
          seen[exactIn ? "in" : "out"]++;
          if (isMost) seen.most++;
        }
      }
      const all = POOLS * SWAPS;
      expect(seen.in).toBeGreaterThan(all / 4);
      expect(seen.out).toBeGreaterThan(all / 4);
      expect(seen.most).toBeGreaterThan(all / 30);
    } finally {
      await anvil.stop();
    }
  });
}

const QUERY = { abi: bundled("BalancerVault").abi, functionName: "queryBatchSwap" } as const;

function anySwap(state: GyroState, random: Random) {
  const count = state.balances.length;
  const sell = random.int(0, count - 1);
  const direction: Direction = { sell, buy: (sell + random.int(1, count - 1)) % count };
  const exactIn = random.chance(0.5);
  const { maxSell, maxBuy } = gyroMath.limits(state, direction, 0n);
  const [most, isMost] = [exactIn ? maxSell : maxBuy, random.chance(0.1)];
  const amount = isMost || most < 2n ? most : random.between(random.chance(0.2) ? 1n : most / 10n ** 6n + 1n, most);
  return { direction, exactIn, amount, isMost };
}

interface Making {
  readonly anvil: Anvil;
  readonly world: BalancerWorld;
  readonly make: MakeGyro;
  readonly decimals: ReadonlyMap<Address, number>;
  readonly random: Random;
  readonly kind: GyroKind;
  readonly rated: boolean;
}

/** A pool of random terms that holds random amounts, of a hundredth of a token to ten billion. */
async function randomPool(making: Making): Promise<{ readonly pool: BalancerPool; readonly state: GyroState }> {
  const { anvil, world, make, decimals, random, kind, rated } = making;
  const count = kind === "3clp" ? 3 : 2;
  const from = random.int(0, decimals.size - count);
  const tokens = [...decimals.keys()].sort().slice(from, from + count);
  const rates = tokens.map(() => (rated && random.chance(0.6) ? random.between(ONE / 2n, 3n * ONE) : ONE));
  const rateProviders: (Address | undefined)[] = [];
  for (const rate of rates) rateProviders.push(rate === ONE ? undefined : await deployRateProvider(anvil, rate));
  const parameters = randomParameters(kind, random);
  const fee = random.pick([10n ** 12n, 10n ** 14n, 2_500_000_000_000_001n, 10n ** 17n]);
  const pool = await make({ kind, tokens, parameters, fee, rateProviders });
  const scales = tokens.map((token) => 10n ** BigInt(18 - (decimals.get(token) as number)));
  const size = random.between(10n ** 17n, 10n ** 28n);
  const balances = scales.map((scale) => random.between(size / 1_000n, size) / scale + 1n);
  await fill(anvil, world, pool, balances);
  const [, held] = await anvil.read<[string[], bigint[]]>(world.vault, bundled("BalancerVault").abi, "getPoolTokens", [
    pool.poolId,
  ]);
  const terms = { scales, rates, rated: rates.map((rate) => rate !== ONE), parameters, swapFee: fee };
  return { pool, state: { kind, balances: [...held], ...terms, paused: false } };
}

function randomParameters(kind: GyroKind, random: Random): readonly bigint[] {
  if (kind === "3clp") return [random.between(16n * 10n ** 16n, 999_966n * 10n ** 12n)];
  const peg = random.pick([ONE, random.between(ONE / 10n, 20n * ONE)]);
  const lambda = random.pick([ONE, 50n * ONE, random.between(ONE, 20_000n * ONE)]);
  // The constructor takes no ellipse whose range is too narrow for how far it is stretched.
  const narrowest = kind === "2clp" ? 10_000n : 10n + (8n * lambda) / ONE;
  const [below, above] = [random.between(10n, narrowest), random.between(10n, narrowest)];
  const [alpha, beta] = [peg - peg / below, peg + peg / above];
  if (kind === "2clp") return [rootOfPrice(alpha), rootOfPrice(beta)];
  return ellipseParameters({ alpha, beta, peg, lambda });
}
