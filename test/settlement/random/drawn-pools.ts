import { erc20Abi } from "viem";
import { compiled } from "../../../fixtures/settlement/node.ts";
import { UNIT, type World } from "../../../fixtures/settlement/venues.ts";
import { bundled } from "../../../src/devnet/contracts/bundle.ts";
import { type Address, NATIVE_TOKEN, toAddress } from "../../../src/domain/address.ts";
import type { Fill } from "../../../src/domain/route.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import type { AnyAction } from "../../../src/venues/index.ts";
import { createStable, createWeighted, deployBalancer, fill } from "../../venues/worlds/balancer.ts";
import { asAnvil } from "../chain/as-anvil.ts";

const vaultAbi = bundled("BalancerVault").abi;
const rateToken = compiled("DevnetRateToken");
const psm = compiled("DevnetPsm");
const curve = compiled("CurveDouble");
const plain = compiled("PlainToken").abi;
const MOST = 2n ** 256n - 1n;
/** Fees of the module on a sale of gems and on a purchase, in parts of 10^18. */
const [TIN, TOUT] = [3n * 10n ** 14n, 7n * 10n ** 14n];
export const TO18 = 10n ** 12n;

/**
 * The world with a weighted pool (usd, dai, gem) and a composable stable one (usd, dai) of the real Balancer V2, a token at
 * a rate to dai, a stability module between dai and a coin of six decimals, and a double of Curve's pools.
 */
export async function withDrawn(world: World) {
  const { node, owner, taker, usd, dai, gem, weth, give } = world;
  const everything = async (token: Address, from: Address, spender: Address) =>
    node.write(from, token, erc20Abi, "approve", spender, MOST);

  const balancer = await balancerPools(world);

  const rated = await node.deploy(rateToken, dai, "Rated dai", "rDAI", 18, owner);
  await give(dai, owner, 10_000n * UNIT);
  await everything(dai, owner, rated);
  await node.write(owner, rated, rateToken.abi, "wrap", 1_000n * UNIT);
  await node.write(owner, rated, rateToken.abi, "report", 1_200_000n * UNIT + 7n, 1_000_000n * UNIT);
  await give(dai, rated, 1_000n * UNIT);
  await node.write(owner, rated, erc20Abi, "transfer", taker, 300n * UNIT);

  const coin = await node.deploy(compiled("DevnetToken"), "Coin", "COIN", 6, owner, 10n ** 15n);
  const module = await node.deploy(psm, dai, coin, TIN, TOUT, owner);
  await node.write(owner, coin, erc20Abi, "transfer", module, 10n ** 12n);
  await node.write(owner, coin, erc20Abi, "transfer", taker, 10n ** 11n);
  await give(dai, module, 500_000n * UNIT);

  const coins = [NATIVE_TOKEN, usd, dai, weth];
  const underlying = [usd, dai, gem];
  const double = await node.deploy(curve, coins, underlying);
  for (const token of [usd, dai, gem]) await give(token, double, 10_000n * UNIT);
  await node.send({ from: owner, to: double, data: "0x", value: 100n * UNIT });
  await give(weth, double, 100n * UNIT);

  for (const token of [rated, coin, balancer.stable.address])
    await everything(token, taker, world.settlement.allowanceTarget);

  /** Curve's functions by the letter of a pool id of the double: its address and one letter. */
  const curveKinds: Readonly<Record<string, AnyAction["action"]>> = {
    i: "curve-pool",
    u: "curve-crypto-pool",
    b: "curve-underlying",
  };
  const actionOf: World["actionOf"] = (each: Fill) => {
    const { poolId, sellToken, buyToken } = each;
    for (const pool of [balancer.weighted, balancer.stable]) {
      if (poolId === pool.address) return { action: "balancer-v2-pool", vault: balancer.vault, poolId: pool.poolId };
    }
    if (poolId === rated) return { action: "rate-token", token: rated };
    if (poolId === module) return { action: "psm", psm: module, gem: coin };
    if (poolId.startsWith(double)) {
      const action = curveKinds[poolId.slice(42)] as "curve-pool" | "curve-crypto-pool" | "curve-underlying";
      const list = action === "curve-underlying" ? underlying : coins;
      return { action, pool: double, sell: list.indexOf(sellToken), buy: list.indexOf(buyToken) };
    }
    return world.actionOf(each);
  };

  const states = new Map<Address, Pool>(world.states);
  const [, held] = await node.read<[string[], bigint[]]>(
    balancer.vault,
    vaultAbi,
    "getPoolTokens",
    balancer.weighted.poolId,
  );
  states.set(balancer.weighted.address, {
    ...{ id: balancer.weighted.address, source: "Test", tokens: balancer.weighted.tokens, curve: "weighted" },
    state: {
      ...{ balances: held, weights: balancer.weights, scales: held.map(() => 1n) },
      ...{ swapFee: balancer.fee, paused: false },
    },
  });
  states.set(rated, {
    ...{ id: rated, source: "Test", tokens: [dai, rated], curve: "rate-token" },
    state: {
      ...{ pooled: 1_200_000n * UNIT + 7n, shares: 1_000_000n * UNIT, supply: 1_000n * UNIT },
      held: await world.balance(dai, rated),
    },
  });
  states.set(module, {
    ...{ id: module, source: "Test", tokens: [dai, coin], curve: "psm" },
    state: { dai: 500_000n * UNIT, gem: 10n ** 12n, tin: TIN, tout: TOUT, to18: TO18 },
  });
  await world.keep();
  const changed: World = { ...world, states, actionOf };
  return { world: changed, balancer, rated, coin, module, double, plain };
}

/** Pools of the real Balancer V2, filled. */
async function balancerPools(world: World) {
  const { owner, usd, dai, gem, weth, give } = world;
  const anvil = asAnvil(world);
  const deployed = await deployBalancer(anvil, weth);
  const sorted = (tokens: readonly Address[]) => tokens.toSorted((a, b) => (a < b ? -1 : 1));
  const fee = 3n * 10n ** 15n;
  const weights = [5n * 10n ** 17n, 3n * 10n ** 17n, 2n * 10n ** 17n];
  const weighted = await createWeighted(anvil, deployed, { tokens: sorted([usd, dai, gem]), weights, fee });
  const stable = await createStable(anvil, deployed, {
    ...{ tokens: sorted([usd, dai]), amplification: 500n, fee: 10n ** 14n },
    ...{
      rateProviders: [0, 0].map(() => toAddress(`0x${"0".repeat(40)}`)),
      durations: [0n, 0n],
      exempt: [false, false],
    },
  });
  for (const token of [usd, dai, gem]) await give(token, owner, 500_000n * UNIT);
  await fill(anvil, deployed, weighted, [50_000n * UNIT, 30_000n * UNIT, 20_000n * UNIT]);
  await fill(
    anvil,
    deployed,
    stable,
    stable.tokens.map((token) => (token === stable.address ? MOST / 2n ** 144n : 100_000n * UNIT)),
  );
  return { vault: deployed.vault, weighted, stable, weights, fee };
}
