/** A price stability module (Maker's DssLitePsm); its stablecoin is token 0, the gem that stands behind it token 1. */
export interface PsmState {
  /** What the module holds of the stablecoin. */
  readonly dai: bigint;
  /** What its pocket holds of the gem. */
  readonly gem: bigint;
  /** Of 10^18 parts of the stablecoin that a sale of gems pays; absent while nobody may sell. */
  readonly tin?: bigint;
  /** Of 10^18 parts of the gems' worth, what a purchase of gems pays on top; absent while nobody may buy. */
  readonly tout?: bigint;
  /** Base units of the stablecoin for one base unit of the gem. */
  readonly to18: bigint;
}
