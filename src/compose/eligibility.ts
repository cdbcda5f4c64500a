import type { ChainRecord } from "../chain/chains/chain-record.ts";
import { type Address, NATIVE_TOKEN } from "../domain/address.ts";
import type { Token } from "../domain/token.ts";
import type { EligibilityRule, UnlistedTerms } from "../market/eligibility.ts";
import type { LiquiditySource } from "../market/liquidity-source.ts";
import type { Config } from "../ops/config.ts";

const WEI = 10n ** 18n;
const DAY_MS = 86_400_000;
/** A day of blocks where it is not known how fast they come: mainnet's. */
const USUAL_DAY_BLOCKS = 7_200;

/**
 * Rule for a route's tokens and pools. It allows tokens that the operator or the chain's record names, others that are
 * old and deep enough, and pools whose controllers, if any, are named as well.
 */
export function eligibilityOf(
  config: Pick<Config, "ALLOWED_CONTROLLERS" | "HOP_TOKEN_MIN_AGE_BLOCKS" | "HOP_TOKEN_MIN_DEPTH">,
  record: ChainRecord,
  tokens: readonly Token[],
  sources: readonly LiquiditySource[],
): EligibilityRule {
  const pooled = sources.flatMap(({ fixed }) => (fixed?.() ?? []).flatMap((ref) => ref.tokens));
  const listed = new Set<Address>([
    ...[NATIVE_TOKEN, record.wrappedNative, ...(record.referenceTokens ?? [])],
    ...tokens.map(({ address }) => address),
    ...pooled,
  ]);
  const controllers = new Set([...(record.allowedControllers ?? []), ...config.ALLOWED_CONTROLLERS]);
  return { controllers, listed, unlisted: unlistedTerms(config, record) };
}

function unlistedTerms(
  config: Pick<Config, "HOP_TOKEN_MIN_AGE_BLOCKS" | "HOP_TOKEN_MIN_DEPTH">,
  { blockTimeMs, hopTokenMinDepth }: ChainRecord,
): UnlistedTerms | undefined {
  const { HOP_TOKEN_MIN_AGE_BLOCKS: age, HOP_TOKEN_MIN_DEPTH: depth = hopTokenMinDepth } = config;
  if (depth === undefined || depth === "none") return undefined;
  const day = blockTimeMs === 0 ? USUAL_DAY_BLOCKS : Math.ceil(DAY_MS / blockTimeMs);
  return { minAgeBlocks: BigInt(age ?? day), minDepthWei: BigInt(depth) * WEI };
}
