import { toAddress } from "../../domain/address.ts";
import {
  amount,
  integer,
  maybeAmount,
  maybeCount,
  maybeTrue,
  natural,
  oneOf,
  type StateField,
  type StateFields,
  twoOf,
  whole,
} from "../curve/state-field.ts";
import type { ConcentratedFamily, ConcentratedState, PoolKey, Tick } from "./state.ts";

const FAMILY = oneOf<ConcentratedFamily>("family of pools", ["pancakeswap", "pancakeswap-farm", "slipstream"]);

interface SavedTick {
  readonly index: number;
  readonly liquidityNet: string;
  readonly liquidityGross: string;
}

const ticks: StateField<readonly Tick[], SavedTick[]> = {
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

const key: StateField<PoolKey | undefined, { readonly fee: number; readonly hooks: string } | undefined> = {
  write: (terms) => terms && { fee: terms.fee, hooks: terms.hooks },
  read: (saved) => saved && { fee: saved.fee, hooks: toAddress(saved.hooks) },
};

/** No family is an empty text. */
const family: StateField<ConcentratedFamily | undefined, string> = {
  write: (name) => name ?? "",
  read: (text) => (text === "" ? undefined : FAMILY.read(text)),
};

export const concentratedFields = {
  sqrtPriceX96: amount,
  tick: whole,
  liquidity: amount,
  feePpm: whole,
  tickSpacing: whole,
  ticks,
  protocolFeesPpm,
  mostMoved: maybeAmount,
  key,
  byTicks: maybeTrue,
  family,
  observations: maybeCount,
  feeSeconds: maybeCount,
} satisfies StateFields<ConcentratedState>;
