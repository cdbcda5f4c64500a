import type { Address } from "../domain/address.ts";
import type { LiquiditySource } from "../market/liquidity-source.ts";
import type { VenueRecord } from "../market/venue-record.ts";
import { algebra } from "./algebra/source.ts";
import { balancerV2 } from "./balancer-v2/source.ts";
import { balancerV3 } from "./balancer-v3/source.ts";
import { balancerV3Buffers } from "./balancer-v3-buffer/source.ts";
import { curveCryptoswap } from "./curve-cryptoswap/source.ts";
import { curveStableswap } from "./curve-stableswap/source.ts";
import { erc4626 } from "./erc4626/source.ts";
import { psm } from "./psm/source.ts";
import { rateToken } from "./rate-token/source.ts";
import { slipstream } from "./slipstream/source.ts";
import { solidly } from "./solidly/source.ts";
import { uniswapV2 } from "./uniswap-v2/source.ts";
import { uniswapV3 } from "./uniswap-v3/source.ts";
import { uniswapV4 } from "./uniswap-v4/source.ts";
import { wrappedNative } from "./wrapped-native/source.ts";

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
  "pancakeswap-v3": uniswapV3,
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
