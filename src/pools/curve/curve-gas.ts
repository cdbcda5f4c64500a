/** A storage slot that is written for the first time, beyond one that is written again (EIP-2929, EIP-3529). */
export const NEW_SLOT = 17_100n;

/** A use of a pool of so many tokens, with its gas by the model. */
interface ModelledUse {
  readonly gas: bigint;
  /** Part of `gas` that is refunded at the end. */
  readonly givenBack: bigint;
  /** The transaction has used the same pool in the same direction before. */
  readonly isFurther: boolean;
  readonly tokens: bigint;
}

/** Gas of a pool use apart from its maths; measured by test/promise/gas-of-pool-uses.test.ts. */
export interface CurveGas<S> {
  /**
   * Gas that a further use of the pool in the same direction saves within one transaction: contract, slots and balances
   * are warm. In another direction it saves about as much, which is not counted: the search values each direction of a
   * pool by itself, and its proof needs the least that one costs. Absent: nothing.
   */
  savedAgain?(gas: bigint, state: S): bigint;
  /**
   * Refund at the end for slots that a pool use fills and empties again: the allowance of a venue that draws, the
   * executor's balance of a drawn token, an amount that a venue brings to the executor first (19,900 each). A pair gives it
   * by the token sold, if it differs. A pool use's gas counts it. Absent: nothing.
   */
  readonly givenBack?: bigint | readonly [bigint, bigint];
  /**
   * Whether one of these slots is for what is bought, which the venue brings to the executor; by the token sold likewise.
   * Absent: no.
   */
  readonly passesOn?: true | readonly [boolean, boolean];
  /** As in mostGasOfUse. */
  most(use: ModelledUse, state: S): bigint;
  /** As in gasComingDue. Absent: nothing. */
  comingDue?(state: S, from: bigint, until: bigint): bigint;
}

/** A saving of so many parts of a hundred of a pool use's gas. */
export function percent(part: bigint): (gas: bigint) => bigint {
  return (gas) => (gas * part) / 100n;
}

/** The most gas of a pool use where only its first use takes more than the model says, by so much for a number of tokens. */
export function withFirstUse(more: (tokens: bigint) => bigint): (use: ModelledUse) => bigint {
  return ({ gas, givenBack, tokens }) => gas + givenBack + more(tokens);
}
