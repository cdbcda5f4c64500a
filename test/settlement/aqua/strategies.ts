import { concat, encodeFunctionData, erc20Abi, type Hex, keccak256 } from "viem";
import { compiled } from "../../../fixtures/settlement/node.ts";
import { UNIT, type World } from "../../../fixtures/settlement/venues.ts";
import type { Address } from "../../../src/domain/address.ts";
import type { AquaState } from "../../../src/pools/aqua/state.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import { strategyOf } from "../../../src/venues/aqua/order.ts";
import { instruction, USES_AQUA } from "../../venues/worlds/singletons/aqua.ts";

const HELD = 100_000n * UNIT;
const WITHOUT_END = (1n << 256n) - 1n;
const ONE = 10n ** 18n;

/**
 * The world with strategies of Aqua of usd and dai: a constant product with a protocol's fee, one over a price range with a flat
 * fee, and one for pegged tokens with both. Their maker, who is somebody else, has no less than they count.
 */
export async function withAqua(world: World) {
  const { node, owner, other: maker, usd, dai, give } = world;
  const aquaCode = compiled("DevnetAqua");
  const aqua = await node.deploy(aquaCode);
  const router = await node.deploy(compiled("DevnetAquaRouter"), aqua);
  const tokens = usd < dai ? [usd, dai] : [dai, usd];
  const [flat, protocol] = [instruction.flatFee(500_000n), instruction.protocolFee(100_000n, owner)];
  const programs: readonly Hex[] = [
    concat([instruction.salt(1n), protocol, instruction.product()]),
    concat([flat, instruction.range((ONE * 9n) / 10n, (ONE * 10n) / 9n), instruction.product()]),
    concat([protocol, flat, instruction.pegged(HELD, HELD, 8n * 10n ** 26n, 1n, 1n)]),
  ];
  for (const token of tokens) {
    await give(token, maker, 10n * HELD);
    await node.send({
      from: maker,
      to: token,
      data: encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [aqua, WITHOUT_END] }),
    });
  }
  const held: (token: Address) => Promise<bigint> = (token) => world.balance(token, maker);
  const wallets = [await held(tokens[0] as Address), await held(tokens[1] as Address)] as const;
  const states = new Map<Address, Pool>(world.states);
  const actions = new Map<Address, ReturnType<World["actionOf"]>>();
  const strategies: Address[] = [];
  for (const data of programs) {
    const order = { maker, traits: USES_AQUA, data };
    const id = keccak256(strategyOf(order)) as Address;
    await node.write(maker, aqua, aquaCode.abi, "ship", router, strategyOf(order), tokens, [HELD, HELD]);
    const state: AquaState = {
      ...{ maker, traits: USES_AQUA, program: data, balances: [HELD, HELD], wallets },
      allowances: [WITHOUT_END, WITHOUT_END],
    };
    states.set(id, { id, source: "Test", tokens, curve: "aqua", state });
    actions.set(id, { action: "aqua-order", router, ...order });
    strategies.push(id);
  }
  await world.keep();
  const actionOf: World["actionOf"] = (fill) => actions.get(fill.poolId as Address) ?? world.actionOf(fill);
  return { world: { ...world, states, actionOf } as World, aqua, maker, strategies };
}
