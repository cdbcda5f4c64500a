import { randomOf } from "../../../fixtures/random.ts";
import type { PeerUniverse } from "../../../fixtures/universes/priced.ts";
import type { Address } from "../../../src/domain/address.ts";

export interface PeerRequest {
  readonly sellToken: Address;
  readonly buyToken: Address;
  readonly sellAmount: bigint;
  /** Wei per unit of gas. */
  readonly gasPrice: bigint;
  readonly group: "best-connected" | "random";
  /** Amount sold, as a part of the smaller of the two tokens' totals in pools; 0 for a handful of base units. */
  readonly part: number;
}

const WELL_CONNECTED = 50;

/**
 * Half of the pairs among the best-connected tokens, half random; half without gas, half at `gasPrice`. Sizes: a tenth
 * from 1 base unit to 1,000, seven tenths log-uniform from 10^-6 of what pools hold to all of it, two tenths up to a
 * hundred times that; of the two tokens the one counts of which pools hold less.
 */
export function requestsFor(
  universe: PeerUniverse,
  count: number,
  gasPrice: bigint,
  seed: number,
): readonly PeerRequest[] {
  const random = randomOf(seed);
  const pools = new Map<Address, number>();
  for (const pool of universe.pools) for (const token of pool.tokens) pools.set(token, (pools.get(token) ?? 0) + 1);
  const known = [...pools.keys()].filter((token) => universe.values.has(token));
  const best = [...known].sort((a, b) => (pools.get(b) ?? 0) - (pools.get(a) ?? 0)).slice(0, WELL_CONNECTED);
  const requests: PeerRequest[] = [];
  while (requests.length < count) {
    const n = requests.length;
    const group = n % 2 === 0 ? "best-connected" : "random";
    const among = group === "random" ? known : best;
    const pick = () => among[Math.floor(random() * among.length)] as Address;
    const [sellToken, buyToken] = [pick(), pick()];
    const worth = (token: Address) => (universe.depth.get(token) ?? 0) * (universe.values.get(token) ?? 0);
    const depth = Math.min(worth(sellToken), worth(buyToken)) / (universe.values.get(sellToken) ?? 1);
    const kind = n % 10;
    const part = kind === 9 ? 0 : kind >= 7 ? 10 ** (2 * random()) : 10 ** (-6 * random());
    const sellAmount = kind === 9 ? BigInt(Math.floor(1000 ** random())) : BigInt(Math.floor(part * depth));
    if (sellToken === buyToken || sellAmount === 0n) continue;
    requests.push({ sellToken, buyToken, sellAmount, gasPrice: n % 4 < 2 ? 0n : gasPrice, group, part });
  }
  return requests;
}
