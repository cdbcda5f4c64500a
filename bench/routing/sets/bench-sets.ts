import { USUAL_FEE } from "../../../fixtures/universes/built-in.ts";
import {
  balancerUniverse,
  fantomUniverse,
  mixedUniverse,
  type PeerUniverse,
} from "../../../fixtures/universes/priced.ts";
import type { Address } from "../../../src/domain/address.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import { largePools } from "./large.ts";

/** Pools of the bench, and what requests on them are made of. */
export interface BenchSet {
  readonly name: string;
  readonly pools: readonly Pool[];
  readonly time: bigint;
  /** Value of a base unit of each token in wei of the native token. */
  readonly values: ReadonlyMap<Address, number>;
  /** Value of a dollar in wei of the native token. */
  readonly dollar: number;
}

/** Spread of the mixed pools' prices, in times half a pool's fee. */
const APART = 10;
const USDC_UNITS = 1e6;

/** By the name that scripts are told; undefined where the data is not there. */
export const BENCH_SETS: Readonly<Record<string, () => BenchSet | undefined>> = {
  "v2-ftm": () => setOf("v2-ftm as it is", fantomUniverse(USUAL_FEE, false)),
  "v2-ftm-flat": () => setOf("v2-ftm flat", fantomUniverse(USUAL_FEE, true)),
  balancer: () => {
    const universe = balancerUniverse();
    return universe && setOf("balancer-v2-mainnet", universe);
  },
  mixed: () => setOf("mixed", mixedUniverse(USUAL_FEE, APART)),
  "mixed-flat": () => setOf("mixed flat", mixedUniverse(USUAL_FEE)),
  "20k": () => largeSet("made 20k", 20_000),
  "100k": () => largeSet("made 100k", 100_000),
};

function setOf(name: string, { pools, time, values, hubs }: PeerUniverse): BenchSet {
  return { name, pools, time, values, dollar: USDC_UNITS * (values.get(hubs.usdc) ?? Number.NaN) };
}

/** Copies of the flat pools of v2-ftm (large.ts). */
function largeSet(name: string, count: number): BenchSet {
  const flat = fantomUniverse(USUAL_FEE, true);
  return setOf(name, { ...flat, ...largePools(flat.pools, flat.values, count) });
}

/** Sets by their names, with commas between; ends the script where one is unknown. They are made one by one. */
export function* chosenSets(names: string): Generator<readonly [key: string, set: BenchSet | undefined]> {
  for (const key of names.split(",")) {
    const make = BENCH_SETS[key];
    if (make === undefined) {
      console.error(`${key} is no set of pools; send some of ${Object.keys(BENCH_SETS).join()}`);
      process.exit(2);
    }
    yield [key, make()];
  }
}
