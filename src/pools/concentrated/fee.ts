import type { ConcentratedState } from "./state.ts";

const PPM = 1_000_000;

/**
 * What a swap keeps of what goes in, in parts per million: the protocol's part first, the pool's own of the rest, rounded
 * up. Source: ProtocolFeeLibrary.calculateSwapFee of Uniswap V4; elsewhere there is no such part.
 */
export function swapFeePpm({ feePpm, protocolFeesPpm }: ConcentratedState, zeroForOne: boolean): number {
  const protocol = protocolFeesPpm?.[zeroForOne ? 0 : 1] ?? 0;
  return protocol + feePpm - Math.floor((protocol * feePpm) / PPM);
}
