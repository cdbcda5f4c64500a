import { encodeFunctionData, type Hex, numberToHex, toFunctionSelector } from "viem";
import { bundled } from "../../../src/devnet/contracts/bundle.ts";
import { type Address, toAddress } from "../../../src/domain/address.ts";
import type { LiquiditySource } from "../../../src/market/liquidity-source.ts";
import { ramses } from "../../../src/venues/ramses/source.ts";
import { slipstream } from "../../../src/venues/slipstream/source.ts";
import type { ConcentratedVenue } from "../../support/suites/concentrated-exactness.ts";
import type { Anvil } from "./anvil.ts";
import { compiled } from "./compiled.ts";
import { type Desk, deployDesk } from "./traffic/desk.ts";

/** Tick spacings that the factory begins with. */
const SPACINGS: Readonly<Record<number, number>> = { 100: 1, 500: 50, 3000: 200, 10000: 2_000 };

export interface SlipstreamWorld extends ConcentratedVenue {
  readonly factory: Address;
  readonly desk: Desk;
  /** Has a pool ask for another fee, as its factory's module would: the number that its code answers with is changed. */
  setFee(pool: Address, fee: number): Promise<void>;
}

/** Uniswap V3's pools as their makers compiled them behind the devnet's factory with Slipstream's interface. */
export function deploySlipstream(anvil: Anvil): Promise<SlipstreamWorld> {
  return deployBySpacing(anvil, "DevnetSlipstreamFactory", (factory) =>
    slipstream({ protocol: "slipstream", source: "Slipstream", factory, fromBlock: 0n }),
  );
}

/** Deploys such pools behind a factory with Ramses V3's interface. */
export function deployRamses(anvil: Anvil): Promise<SlipstreamWorld> {
  return deployBySpacing(anvil, "RamsesFactory", (factory) =>
    ramses({ protocol: "ramses", source: "Ramses", factory, fromBlock: 0n }),
  );
}

async function deployBySpacing(
  anvil: Anvil,
  contract: "DevnetSlipstreamFactory" | "RamsesFactory",
  sourceOf: (factory: Address) => LiquiditySource,
): Promise<SlipstreamWorld> {
  const factoryArtifact = compiled(contract);
  const args = [bundled("UniswapV3Pool").bytecode, anvil.account];
  const factory = await anvil.deploy(factoryArtifact.abi, factoryArtifact.bytecode, args);
  const desk = await deployDesk(anvil, toFunctionSelector("slot0()"));
  let next = 700;
  const setFee: SlipstreamWorld["setFee"] = async (pool, fee) => {
    await writeFee(anvil, pool, await anvil.read<number>(factory, factoryArtifact.abi, "getSwapFee", [pool]), fee);
  };
  return {
    factory,
    desk,
    setFee,
    source: sourceOf(factory),
    spenders: [desk.address],
    tiers: Object.entries(SPACINGS).map(([fee, spacing]) => ({
      fee: Number(fee),
      spacing,
      quotes: spacing === 1 ? 15 : 55,
    })),
    async create(tokens, fee, price) {
      const spacing = SPACINGS[fee] as number;
      const create = { abi: factoryArtifact.abi, functionName: "createPool", args: [...tokens, spacing, price] };
      await anvil.send(factory, encodeFunctionData(create));
      await anvil.mine();
      const named = await anvil.read<string>(factory, factoryArtifact.abi, "getPool", [...tokens, spacing]);
      const address = toAddress(named);
      return { id: address, address, tokens, terms: { tickSpacing: String(spacing) } };
    },
    mint: ({ address }, lower, upper, size) => desk.mint(address, lower, upper, size),
    swapExactIn: ({ address }, zeroForOne, amount) => desk.swapExactIn(address, zeroForOne, amount),
    // A fee that no other number of the code is.
    disturb({ address }) {
      next += 13;
      return setFee(address, next);
    },
    quote: ({ address }, asked) => desk.quote(address, asked),
    decode: desk.decode,
  };
}

/** Changes the fee that a pool's code answers with; no other number of the code may be the one before. */
export async function writeFee(anvil: Anvil, pool: Address, before: number, after: number): Promise<void> {
  const code = await anvil.rpc<Hex>("eth_getCode", [pool, "latest"]);
  // PUSH32 of the immutable.
  const pushed = (fee: number) => `7f${numberToHex(fee, { size: 32 }).slice(2)}`;
  await anvil.rpc("anvil_setCode", [pool, code.replaceAll(pushed(before), pushed(after))]);
}
