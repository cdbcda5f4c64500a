import type { Address } from "../domain/address.ts";
import type { LiquiditySource } from "../market/liquidity-source.ts";
import type { VenueRecord } from "../market/venue-record.ts";
import { algebraVenue } from "./algebra/index.ts";
import { algebraV1Venue } from "./algebra-v1/index.ts";
import { aquaVenue } from "./aqua/index.ts";
import { balancerV2Venue } from "./balancer-v2/index.ts";
import { balancerV3Venue } from "./balancer-v3/index.ts";
import { balancerV3BuffersVenue } from "./balancer-v3-buffer/index.ts";
import { curveCryptoswapVenue } from "./curve-cryptoswap/index.ts";
import { curveStableswapVenue } from "./curve-stableswap/index.ts";
import { dodoVenue } from "./dodo/index.ts";
import { ekuboVenue } from "./ekubo/index.ts";
import { erc4626Venue } from "./erc4626/index.ts";
import { eulerSwapVenue } from "./euler-swap/index.ts";
import { fluidVenue } from "./fluid/index.ts";
import { infinityBinVenue } from "./infinity-bin/index.ts";
import { infinityClVenue } from "./infinity-cl/index.ts";
import { kuruVenue } from "./kuru/index.ts";
import { liquidityBookVenue } from "./liquidity-book/index.ts";
import { makerOrderVenue } from "./maker-order/index.ts";
import { maverickVenue } from "./maverick/index.ts";
import { pancakeStableswapVenue } from "./pancake-stableswap/index.ts";
import { pancakeswapV3Venue } from "./pancakeswap-v3/index.ts";
import { pangolinV3Venue } from "./pangolin-v3/index.ts";
import { propAmmVenue } from "./prop-amm/index.ts";
import { psmVenue } from "./psm/index.ts";
import { ramsesVenue } from "./ramses/index.ts";
import { rateTokenVenue } from "./rate-token/index.ts";
import { rfqOrderVenue } from "./rfq-order/index.ts";
import { savingsVaultVenue } from "./savings-vault/index.ts";
import { slipstreamVenue } from "./slipstream/index.ts";
import { solidlyVenue } from "./solidly/index.ts";
import { uniswapV2Venue } from "./uniswap-v2/index.ts";
import { uniswapV3Venue } from "./uniswap-v3/index.ts";
import { uniswapV4Venue } from "./uniswap-v4/index.ts";
import { uniswapV4HooksVenue } from "./uniswap-v4-hooks/index.ts";
import type { Venue } from "./venue.ts";
import { woofiVenue } from "./woofi/index.ts";
import { wrappedNativeVenue } from "./wrapped-native/index.ts";
import { wrappedNative } from "./wrapped-native/source.ts";

/** Every kind of venues that a chain's record can list. */
export const VENUES = [
  uniswapV2Venue,
  uniswapV3Venue,
  pancakeswapV3Venue,
  pangolinV3Venue,
  uniswapV4Venue,
  uniswapV4HooksVenue,
  algebraVenue,
  algebraV1Venue,
  slipstreamVenue,
  ramsesVenue,
  solidlyVenue,
  curveStableswapVenue,
  balancerV2Venue,
  curveCryptoswapVenue,
  balancerV3Venue,
  balancerV3BuffersVenue,
  erc4626Venue,
  savingsVaultVenue,
  rateTokenVenue,
  psmVenue,
  propAmmVenue,
  liquidityBookVenue,
  infinityClVenue,
  infinityBinVenue,
  ekuboVenue,
  fluidVenue,
  pancakeStableswapVenue,
  woofiVenue,
  dodoVenue,
  aquaVenue,
  eulerSwapVenue,
  maverickVenue,
  kuruVenue,
] as const satisfies readonly Venue[];

/** Codecs with which settlement trades at these, wraps the native token and fills makers' orders. */
export const CODECS = [wrappedNativeVenue, makerOrderVenue, rfqOrderVenue, ...VENUES].map(({ codec }) => codec);

/** Documentation of market makers, by their kind in the API. */
export const MAKER_ABOUTS = makerOrderVenue.abouts;

/** The record of any venue here. */
export type AnyRecord = Parameters<(typeof VENUES)[number]["source"]>[0];

/** Any action that a venue here writes. */
export type AnyAction = Parameters<(typeof CODECS)[number]["encoder"]["encode"]>[0];

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

const BY_PROTOCOL: ReadonlyMap<string, Venue> = new Map(VENUES.map((venue) => [venue.protocol, venue]));

function sourceOf(record: VenueRecord): LiquiditySource {
  const venue = BY_PROTOCOL.get(record.protocol);
  if (venue === undefined) throw new RangeError(`no venue serves the protocol ${record.protocol}`);
  return venue.source(record);
}
