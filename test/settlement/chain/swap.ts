import { type Address, ZERO_ADDRESS } from "../../../src/domain/address.ts";
import type { Route } from "../../../src/domain/route.ts";
import type { SwapTerms } from "../../../src/quoting/ports.ts";
import type { World } from "./venues.ts";

export const FAR = 2n ** 40n;

/** The terms that a route's own amounts make, without slack. */
export function termsFor(route: Route, changes: Partial<SwapTerms> = {}): SwapTerms {
  const fee = changes.fee === undefined ? 0n : (route.buyAmount * changes.fee.ratePpm) / 1_000_000n;
  return {
    sellToken: route.sellToken,
    buyToken: route.buyToken,
    maxSellAmount: route.sellAmount,
    minBuyAmount: route.buyAmount - fee,
    recipient: ZERO_ADDRESS,
    deadline: FAR,
    ...changes,
  };
}

/**
 * Encodes, verifies and sends a route as the taker; answers what moved. Without a gas limit it is the model's, where the
 * route's pools have a state.
 */
export async function run(world: World, route: Route, changes: Partial<SwapTerms> = {}, given?: bigint) {
  const { settlement, node, taker } = world;
  const terms = termsFor(route, changes);
  const transaction = settlement.encode(route, terms, world.actionOf);
  settlement.verify(transaction, route, terms, world.actionOf);
  const recipient = terms.recipient === ZERO_ADDRESS ? taker : terms.recipient;
  const before = await balances(world, route, recipient);
  await node.rpc("anvil_setNextBlockBaseFeePerGas", "0x0");
  const poolOf = (id: string) => world.states.get(id as Address);
  const isModelled = route.fills.every(({ poolId, gas }) => gas > 0n && poolOf(poolId) !== undefined);
  const limit = given ?? (isModelled ? settlement.gasLimit(route, terms, poolOf) : undefined);
  const gas = limit === undefined ? {} : { gas: limit };
  const { gasUsed } = await node.send({ from: taker, ...transaction, ...gas, gasPrice: 0n });
  const after = await balances(world, route, recipient);
  return { terms, gasUsed, sold: before.sell - after.sell, bought: after.buy - before.buy };
}

async function balances({ balance, taker }: World, route: Route, recipient: World["taker"]) {
  return { sell: await balance(route.sellToken, taker), buy: await balance(route.buyToken, recipient) };
}

/** What our contracts hold of anything that the world knows. */
export async function leftBehind({ settlement, balance, usd, dai, gem, weth }: World): Promise<bigint> {
  const native = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee" as typeof usd;
  let sum = 0n;
  for (const token of [usd, dai, gem, weth, native]) {
    for (const contract of settlement.contracts) sum += await balance(token, contract);
  }
  return sum;
}
