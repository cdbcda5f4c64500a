import type { ConcentratedState } from "./state.ts";

const PPM = 1_000_000;

/**
 * Fee of a swap in parts per million of the amount in: the protocol's part first, the pool's own of the rest, rounded
 * up. Source: ProtocolFeeLibrary.calculateSwapFee of Uniswap V4; elsewhere there is no such part.
 */
export function swapFeePpm(state: ConcentratedState, zeroForOne: boolean): number {
  const protocol = state.protocolFeesPpm?.[zeroForOne ? 0 : 1] ?? 0;
  const own = zeroForOne ? state.feePpm : (state.feeOfToken1Ppm ?? state.feePpm);
  return protocol + own - Math.floor((protocol * own) / PPM);
}
