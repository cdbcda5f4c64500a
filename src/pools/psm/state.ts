/** A price stability module (Maker's DssLitePsm); its stablecoin is token 0, the gem that stands behind it token 1. */
export interface PsmState {
  /** Balance of the stablecoin in the module, base units. */
  readonly dai: bigint;
  /** Balance of the gem in the module's pocket, base units. */
  readonly gem: bigint;
  /** Fee on a sale of gems, in parts of 10^18 of the stablecoin; absent while nobody may sell. */
  readonly tin?: bigint;
  /** Fee on a purchase of gems, in parts of 10^18 of their worth; absent while nobody may buy. */
  readonly tout?: bigint;
  /** Base units of the stablecoin for one base unit of the gem. */
  readonly to18: bigint;
}
