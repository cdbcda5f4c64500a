import { costOfGas } from "../../src/routing/network-cost.ts";
import type { NetworkCost } from "../../src/routing/router.ts";
import { FREE } from "../../test/support/universe.ts";
import type { PeerRequest } from "./requests.ts";
import type { PeerUniverse } from "./universe.ts";

/** What gas costs at the universe's own values of tokens. */
export function costIn(universe: PeerUniverse, gasPrice: bigint): NetworkCost {
  if (gasPrice === 0n) return FREE;
  return {
    gasPrice,
    rate: (token) => {
      const value = universe.values.get(token);
      if (value === undefined) return undefined;
      return value > 1
        ? { num: 10n ** 9n, den: BigInt(Math.round(value * 1e9)) }
        : { num: BigInt(Math.round(1e9 / value)), den: 10n ** 9n };
    },
  };
}

/** What an amount of gas costs in base units of a token. */
export function gasIn(universe: PeerUniverse, { gasPrice, buyToken }: PeerRequest, gas: bigint): bigint {
  return costOfGas(costIn(universe, gasPrice), buyToken, gas);
}
