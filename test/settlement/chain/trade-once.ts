import type { World } from "../../../fixtures/settlement/venues.ts";
import type { Address } from "../../../src/domain/address.ts";
import { type Fill, SHARE_ONE } from "../../../src/domain/route.ts";

/** Sells a little to a pool both ways: a pool's first swaps are dearer than all later ones. */
export async function tradeOnce(
  { settlement, node, taker }: World,
  pool: Address,
  tokens: readonly [Address, Address],
  actionOf: World["actionOf"],
): Promise<void> {
  const amounts = { sellAmount: 10n ** 15n, buyAmount: 1n };
  for (const [sellToken, buyToken] of [tokens, [tokens[1], tokens[0]] as const]) {
    await node.rpc("evm_increaseTime", 12);
    const fill: Fill = { poolId: pool, source: "Test", sellToken, buyToken, ...amounts, gas: 0n, share: SHARE_ONE };
    const route = { kind: "exactIn", sellToken, buyToken, ...amounts, fills: [fill] } as const;
    const terms = {
      ...{ sellToken, buyToken, maxSellAmount: amounts.sellAmount, minBuyAmount: 1n },
      ...{ recipient: taker, deadline: 2n ** 40n },
    };
    await node.send({ from: taker, ...settlement.encode(route, terms, actionOf) });
  }
}
