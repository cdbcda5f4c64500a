import type { Address } from "../domain/address.ts";
import type { LiquiditySource } from "../market/liquidity-source.ts";
import type { VenueRecord } from "../market/venue-record.ts";
import type { ActionCodec } from "../settlement/action-codec.ts";
import { algebraPoolEncoder } from "./algebra/action.ts";
import { algebra } from "./algebra/source.ts";
import { algebraPoolVerifier } from "./algebra/verify.ts";
import { balancerV2Encoder } from "./balancer-v2/action.ts";
import { balancerV2 } from "./balancer-v2/source.ts";
import { balancerV2Verifier } from "./balancer-v2/verify.ts";
import { balancerV3Encoder } from "./balancer-v3/action.ts";
import { balancerV3 } from "./balancer-v3/source.ts";
import { balancerV3Verifier } from "./balancer-v3/verify.ts";
import { bufferEncoder } from "./balancer-v3-buffer/action.ts";
import { balancerV3Buffers } from "./balancer-v3-buffer/source.ts";
import { bufferVerifier } from "./balancer-v3-buffer/verify.ts";
import { curveCryptoswap } from "./curve-cryptoswap/source.ts";
import { curveEncoder } from "./curve-stableswap/action.ts";
import { curveStableswap } from "./curve-stableswap/source.ts";
import { curveVerifier } from "./curve-stableswap/verify.ts";
import { vaultEncoder } from "./erc4626/action.ts";
import { erc4626 } from "./erc4626/source.ts";
import { vaultVerifier } from "./erc4626/verify.ts";
import { makerOrderEncoder } from "./maker-order/action.ts";
import { makerOrderVerifier } from "./maker-order/verify.ts";
import { pancakePoolEncoder } from "./pancakeswap-v3/action.ts";
import { pancakeswapV3 } from "./pancakeswap-v3/source.ts";
import { pancakePoolVerifier } from "./pancakeswap-v3/verify.ts";
import { psmEncoder } from "./psm/action.ts";
import { psm } from "./psm/source.ts";
import { psmVerifier } from "./psm/verify.ts";
import { rateTokenEncoder } from "./rate-token/action.ts";
import { rateToken } from "./rate-token/source.ts";
import { rateTokenVerifier } from "./rate-token/verify.ts";
import { slipstream } from "./slipstream/source.ts";
import { solidlyEncoder } from "./solidly/action.ts";
import { solidly } from "./solidly/source.ts";
import { solidlyVerifier } from "./solidly/verify.ts";
import { pairEncoder } from "./uniswap-v2/action.ts";
import { uniswapV2 } from "./uniswap-v2/source.ts";
import { pairVerifier } from "./uniswap-v2/verify.ts";
import { v3PoolEncoder } from "./uniswap-v3/action.ts";
import { uniswapV3 } from "./uniswap-v3/source.ts";
import { v3PoolVerifier } from "./uniswap-v3/verify.ts";
import { v4PoolEncoder } from "./uniswap-v4/action.ts";
import { uniswapV4 } from "./uniswap-v4/source.ts";
import { v4PoolVerifier } from "./uniswap-v4/verify.ts";
import { wrapEncoder } from "./wrapped-native/action.ts";
import { wrappedNative } from "./wrapped-native/source.ts";
import { wrapVerifier } from "./wrapped-native/verify.ts";

/** Each protocol that a venue record can name, and what serves it. */
const protocols: { readonly [P in VenueRecord["protocol"]]: (venue: VenueOf<P>) => LiquiditySource } = {
  "uniswap-v2": uniswapV2,
  "uniswap-v3": uniswapV3,
  solidly,
  slipstream,
  "curve-stableswap": curveStableswap,
  "curve-cryptoswap": curveCryptoswap,
  erc4626,
  "rate-token": rateToken,
  psm,
  "pancakeswap-v3": pancakeswapV3,
  "uniswap-v4": uniswapV4,
  algebra,
  "balancer-v2": balancerV2,
  "balancer-v3": balancerV3,
  "balancer-v3-buffers": balancerV3Buffers,
};

type VenueOf<P extends VenueRecord["protocol"]> = Extract<VenueRecord, { protocol: P }>;

/**
 * The sources of a chain: the wrapped native token first, then one per venue in the order of the record.
 * @throws RangeError when a record cannot be served.
 */
export function createSources(chain: {
  readonly venues: readonly VenueRecord[];
  readonly wrappedNative: Address;
}): readonly LiquiditySource[] {
  return [wrappedNative(chain.wrappedNative), ...chain.venues.map(sourceOf)];
}

function sourceOf<P extends VenueRecord["protocol"]>(venue: VenueOf<P>): LiquiditySource {
  const create = protocols[venue.protocol as P] as (venue: VenueOf<P>) => LiquiditySource;
  return create(venue);
}

/** What settlement can trade. */
export const CODECS = [
  { encoder: algebraPoolEncoder, verifier: algebraPoolVerifier },
  { encoder: balancerV2Encoder, verifier: balancerV2Verifier },
  { encoder: balancerV3Encoder, verifier: balancerV3Verifier },
  { encoder: bufferEncoder, verifier: bufferVerifier },
  { encoder: curveEncoder, verifier: curveVerifier },
  { encoder: vaultEncoder, verifier: vaultVerifier },
  { encoder: makerOrderEncoder, verifier: makerOrderVerifier },
  { encoder: pancakePoolEncoder, verifier: pancakePoolVerifier },
  { encoder: psmEncoder, verifier: psmVerifier },
  { encoder: rateTokenEncoder, verifier: rateTokenVerifier },
  { encoder: solidlyEncoder, verifier: solidlyVerifier },
  { encoder: pairEncoder, verifier: pairVerifier },
  { encoder: v3PoolEncoder, verifier: v3PoolVerifier },
  { encoder: v4PoolEncoder, verifier: v4PoolVerifier },
  { encoder: wrapEncoder, verifier: wrapVerifier },
] as const satisfies readonly ActionCodec[];

/** Any action that a venue here writes. */
export type AnyAction = Parameters<(typeof CODECS)[number]["encoder"]["encode"]>[0];
