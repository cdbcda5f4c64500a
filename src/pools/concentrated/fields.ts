import { toAddress } from "../../domain/address.ts";
import { maybeKey } from "../curve/pool-key.ts";
import {
  amount,
  integer,
  maybeAmount,
  maybeCount,
  maybeTrue,
  maybeWhole,
  natural,
  oneOf,
  type StateField,
  type StateFields,
  twoOf,
  whole,
} from "../curve/state-field.ts";
import type { ConcentratedFamily, ConcentratedState, FallingFee, SwapHook, Tick } from "./state.ts";

const FAMILY = oneOf<ConcentratedFamily>("family of pools", [
  "pancakeswap",
  "pancakeswap-farm",
  "slipstream",
  "infinity",
  "algebra-v1",
]);

interface SavedTick {
  readonly index: number;
  readonly liquidityNet: string;
  readonly liquidityGross: string;
}

export const ticks: StateField<readonly Tick[], SavedTick[]> = {
  write: (values) =>
    values.map(({ index, liquidityNet, liquidityGross }) => ({
      index,
      liquidityNet: String(liquidityNet),
      liquidityGross: String(liquidityGross),
    })),
  read: (saved) =>
    saved.map(({ index, liquidityNet, liquidityGross }, i): Tick => {
      const before = saved[i - 1];
      if (before !== undefined && before.index >= index) throw new RangeError(`tick ${index} is out of order`);
      return { index, liquidityNet: integer(liquidityNet), liquidityGross: natural(liquidityGross) };
    }),
};

const protocolFeesPpm: StateField<ConcentratedState["protocolFeesPpm"], number[]> = {
  write: (fees) => [...(fees ?? [])],
  read: (fees) => (fees.length === 0 ? undefined : twoOf(fees)),
};

/** No family is an empty text. */
const family: StateField<ConcentratedFamily | undefined, string> = {
  write: (name) => name ?? "",
  read: (text) => (text === "" ? undefined : FAMILY.read(text)),
};

const deployer: StateField<ConcentratedState["deployer"], string | undefined> = {
  write: (address) => address,
  read: (text) => (text === undefined ? undefined : toAddress(text)),
};

const CHARGES = oneOf<SwapHook["charges"]>("amount that hooks charge", ["unspecified", "token0", "token1"]);

interface SavedHook {
  readonly charges: string;
  readonly token0InPpm: number[];
  readonly token1InPpm: number[];
  readonly gas: number;
  readonly mostGas?: number | undefined;
  readonly passesTo?: string | undefined;
  readonly falling?: FallingFee | undefined;
}

const hook: StateField<SwapHook | undefined, SavedHook | undefined> = {
  write: (own) => own && { ...own, token0InPpm: [...own.token0InPpm], token1InPpm: [...own.token1InPpm] },
  read(saved) {
    if (saved === undefined) return undefined;
    const { charges, token0InPpm, token1InPpm, gas, mostGas, passesTo, falling } = saved;
    return {
      ...{ charges: CHARGES.read(charges), token0InPpm, token1InPpm, gas },
      ...(mostGas !== undefined && { mostGas }),
      ...(passesTo !== undefined && { passesTo: toAddress(passesTo) }),
      ...(falling !== undefined && { falling: fallingFee(falling) }),
    };
  },
};

function fallingFee({ whole, startFee, endFee, startTime, seconds }: FallingFee): FallingFee {
  return { whole, startFee, endFee, startTime, seconds };
}

export const concentratedFields = {
  sqrtPriceX96: amount,
  tick: whole,
  liquidity: amount,
  feePpm: whole,
  tickSpacing: whole,
  ticks,
  protocolFeesPpm,
  mostMoved: maybeAmount,
  key: maybeKey,
  byTicks: maybeTrue,
  family,
  observations: maybeCount,
  feeSeconds: maybeCount,
  feeOfToken1Ppm: maybeWhole,
  deployer,
  hook,
} satisfies StateFields<ConcentratedState>;
