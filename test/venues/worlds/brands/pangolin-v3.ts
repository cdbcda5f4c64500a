import { encodeFunctionData, type Hex, toFunctionSelector } from "viem";
import { bundled } from "../../../../src/devnet/contracts/bundle.ts";
import { type Address, toAddress } from "../../../../src/domain/address.ts";
import { pangolinV3 } from "../../../../src/venues/pangolin-v3/source.ts";
import type { ConcentratedVenue } from "../../../support/suites/concentrated-exactness.ts";
import type { Anvil } from "../anvil.ts";
import { writeFee } from "../slipstream.ts";
import { type Desk, deployDesk } from "../traffic/desk.ts";

const { abi, bytecode } = bundled("UniswapV3Factory");
const pool = bundled("UniswapV3Pool");
/** Tick spacings by fee that Pangolin's factory begins with. */
const SPACINGS: Readonly<Record<number, number>> = { 100: 1, 500: 10, 2500: 60, 8000: 200 };
/** PUSH4 of a callback's name. */
const named = (name: string) => `63${toFunctionSelector(`${name}(int256,int256,bytes)`).slice(2)}`;

/** Creation code of Uniswap's factory, whose pools ask for their payment by the name of Pangolin's callback. */
export const pangolinFactory = {
  abi,
  bytecode: bytecode.replaceAll(named("uniswapV3SwapCallback"), named("pangolinv3SwapCallback")) as Hex,
};

export interface PangolinV3World extends ConcentratedVenue {
  readonly factory: Address;
  readonly desk: Desk;
  /** Has a pool ask for another fee, as its factory's owner would: the number that its code answers with is changed. */
  setFee(pool: Address, fee: number): Promise<void>;
}

/** Uniswap V3's factory and pools as their makers compiled them, but for the callback's name. */
export async function deployPangolinV3(anvil: Anvil): Promise<PangolinV3World> {
  const factory = await anvil.deploy(abi, pangolinFactory.bytecode);
  const desk = await deployDesk(anvil, toFunctionSelector("slot0()"));
  const call = (functionName: string, args: readonly unknown[]) => encodeFunctionData({ abi, functionName, args });
  for (const fee of [100, 2_500, 8_000]) await anvil.send(factory, call("enableFeeAmount", [fee, SPACINGS[fee]]));
  await anvil.mine();
  let next = 700;
  const setFee: PangolinV3World["setFee"] = async (address, fee) => {
    await writeFee(anvil, address, await anvil.read<number>(address, pool.abi, "fee"), fee);
  };
  return {
    factory,
    desk,
    setFee,
    source: pangolinV3({ protocol: "pangolin-v3", source: "Pangolin_V3", factory, fromBlock: 0n }),
    spenders: [desk.address],
    tiers: Object.entries(SPACINGS).map(([fee, spacing]) => ({
      ...{ fee: Number(fee), spacing, quotes: spacing === 1 ? 15 : 55 },
    })),
    async create(tokens, fee, price) {
      await anvil.send(factory, call("createPool", [...tokens, fee]));
      await anvil.mine();
      const address = toAddress(await anvil.read<string>(factory, abi, "getPool", [...tokens, fee]));
      await anvil.send(address, encodeFunctionData({ abi: pool.abi, functionName: "initialize", args: [price] }));
      await anvil.mine();
      return { id: address, address, tokens, terms: { fee: String(fee) } };
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
