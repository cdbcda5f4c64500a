import type { World } from "../../../fixtures/settlement/venues.ts";
import { bundled } from "../../../src/devnet/contracts/bundle.ts";
import { FEE, SPACING, withPoolsOf } from "./algebra.ts";

const factory = bundled("AlgebraV1Factory");
const deployer = bundled("AlgebraV1PoolDeployer");
/** Sigmoids of no height: the fee is the same at any volatility (AdaptiveFee.sol). */
const CONFIGURATION = [0, 0, 0, 0, 1, 1, 0, 1, FEE];

/** The world with pools of Algebra's first version of usd and dai and of dai and gem at price one, traded before. */
export async function withAlgebraV1(world: World) {
  const { node, owner } = world;
  const deployerAt = await node.deploy(deployer);
  const at = await node.deploy(factory, deployerAt, owner);
  await node.write(owner, deployerAt, deployer.abi, "setFactory", at);
  await node.write(owner, at, factory.abi, "setBaseFeeConfiguration", ...CONFIGURATION);
  const terms = { tickSpacing: SPACING, family: "algebra-v1" } as const;
  return withPoolsOf(world, { at, factory, pool: bundled("AlgebraV1Pool"), more: [], terms });
}
