import { compiled } from "../../../fixtures/settlement/node.ts";
import type { World } from "../../../fixtures/settlement/venues.ts";
import { bundled } from "../../../src/devnet/contracts/bundle.ts";
import { type Address, NATIVE_TOKEN } from "../../../src/domain/address.ts";
import type { SwapHook } from "../../../src/pools/concentrated/state.ts";
import { poolIdOf } from "../../../src/venues/uniswap-v4/pool-key.ts";
import { POOLS_SLOT } from "../../../src/venues/uniswap-v4/slots.ts";
import { FALLING, HOOKS_AT, LOCKED, NOBODY, PASSING } from "../../venues/worlds/singletons/v4-doppler.ts";
import { CODE, FEES, HOOKS, type Model, termsCall } from "../../venues/worlds/singletons/v4-hooks.ts";
import { ofManager, SPACING, withSingleton } from "./singleton.ts";

/** Fees of each model: 1 % and 0.5 % of the amount that is not named; 1 % or 2 % of one currency; 0.1 % or 0.2 %. */
const TERMS: { readonly [M in Model]: readonly [number, number] } = {
  ...{ otherFee: [50, 100], currency0Fee: [100, 200], currency1Fee: [100, 200] },
  ...{ liquidityFee: [1_000, 2_000], observer: [0, 0] },
};

/** Terms of pools that pass their swaps on. */
const FEE = 3_000;
const WHOLE = 800_000;
const PASSED_FEE = 11_201;
/** Gas of the devnet's contracts, a trade after each swap included. */
const GAS = 93_000;

/** The world with pools of Uniswap V4 whose hooks are of a model. */
export async function withHooks(world: World, model: Model) {
  const { node, owner } = world;
  const { abi, bytecode } = bundled("PoolManager");
  const manager = await node.deploy({ abi, bytecode }, owner);
  const hooks = HOOKS[model].address;
  await node.rpc("anvil_setCode", hooks, CODE[model].deployedBytecode);
  const terms = { fee: FEES[model], tickSpacing: SPACING, hooks };
  const base = ofManager(world, { manager, abi, poolsSlot: POOLS_SLOT }, { key: { fee: FEES[model], hooks } });
  const [first, second] = TERMS[model];
  return withSingleton(world, {
    ...base,
    desk: compiled("DevnetV4Desk"),
    keyOf: ([currency0, currency1]) => ({ currency0, currency1, ...terms }),
    idOf: (currencies) => poolIdOf({ currencies, ...terms }),
    async create(key) {
      await base.create(key);
      const { currency0, currency1 } = key as Record<"currency0" | "currency1", Address>;
      const data = termsCall(model, poolIdOf({ currencies: [currency0, currency1], ...terms }), first, second);
      if (data !== undefined) await node.send({ from: owner, to: hooks, data });
    },
    async stateOf(id, ticks) {
      const read = await base.stateOf(id, ticks);
      if (read.curve !== "concentrated") throw new Error("unreachable");
      const fees = model === "liquidityFee" ? { feePpm: first, feeOfToken1Ppm: second } : {};
      return { ...read, state: { ...read.state, ...fees, hook: hookOf(model, first, second) } };
    },
    action: { action: "v4-pool", manager, ...terms },
  });
}

function hookOf(model: Model, first: number, second: number): SwapHook {
  const { gas } = HOOKS[model];
  if (model === "otherFee") {
    const parts = [first * 100, second * 100];
    return { charges: "unspecified", token0InPpm: parts, token1InPpm: parts, gas };
  }
  if (model === "observer" || model === "liquidityFee")
    return { charges: "unspecified", token0InPpm: [], token1InPpm: [], gas };
  const charges = model === "currency0Fee" ? "token0" : "token1";
  return { charges, token0InPpm: [first * 100], token1InPpm: [second * 100], gas };
}

/** The world with pools of Uniswap V4 that pass their swaps on, as Doppler's do. */
export async function withDoppler(world: World) {
  const { node, owner } = world;
  const { abi, bytecode } = bundled("PoolManager");
  const manager = await node.deploy({ abi, bytecode }, owner);
  await node.rpc("anvil_setCode", HOOKS_AT, PASSING.deployedBytecode);
  const passesTo = await node.deploy(FALLING, WHOLE, manager);
  await node.write(owner, HOOKS_AT, PASSING.abi, "setFlags", passesTo, 3n);
  const terms = { fee: FEE, tickSpacing: SPACING, hooks: HOOKS_AT };
  const base = ofManager(world, { manager, abi, poolsSlot: POOLS_SLOT }, { key: { fee: FEE, hooks: HOOKS_AT } });
  const falling = { whole: WHOLE, startFee: PASSED_FEE, endFee: PASSED_FEE, startTime: 0, seconds: 0 };
  const none = { charges: "unspecified", token0InPpm: [], token1InPpm: [] } as const;
  const hook: SwapHook = { ...none, gas: GAS, mostGas: 2 * GAS, passesTo, falling };
  const assets = new Set<Address>();
  return withSingleton(world, {
    ...base,
    desk: compiled("DevnetV4Desk"),
    keyOf: ([currency0, currency1]) => ({ currency0, currency1, ...terms }),
    idOf: (currencies) => poolIdOf({ currencies, ...terms }),
    async create(key) {
      await base.create(key);
      const { currency0, currency1 } = key as Record<"currency0" | "currency1", Address>;
      // An asset has one pool.
      const asset = assets.has(currency1) || currency1 === NATIVE_TOKEN ? currency0 : currency1;
      assets.add(asset);
      await node.write(owner, HOOKS_AT, PASSING.abi, "register", key, asset, passesTo, LOCKED, NOBODY);
      const id = poolIdOf({ currencies: [currency0, currency1], ...terms });
      await node.write(owner, passesTo, FALLING.abi, "setSchedule", id, 0, PASSED_FEE, PASSED_FEE, 0);
    },
    async stateOf(id, ticks) {
      const read = await base.stateOf(id, ticks);
      if (read.curve !== "concentrated") throw new Error("unreachable");
      return { ...read, state: { ...read.state, hook } };
    },
    action: { action: "v4-pool", manager, ...terms },
  });
}
