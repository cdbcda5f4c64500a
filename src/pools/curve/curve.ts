import type { PoolId } from "../../domain/route.ts";
import type { TokenTax } from "../../domain/token-verdict.ts";
import type { PoolMath } from "../pool-math.ts";
import type { CurveGas } from "./curve-gas.ts";
import type { StateFields } from "./state-field.ts";

/**
 * Order of payment: "first" is paid before it is called and can be sent its input by the pool before, "callback" asks for
 * its payment in a call back to the payer, "lock" settles at the end of a lock that the payer holds.
 */
export type Payment = "first" | "callback" | "lock";

/** All that is known of one kind of pool. What most curves do needs no member: each optional one says what its absence means. */
export interface Curve<S> {
  readonly math: PoolMath<S>;
  /** Gas of a pool use apart from its maths. */
  readonly gas: CurveGas<S>;

  /** Encoding of each field of a state. Absent: states are not kept, since they are no part of a chain's state. */
  readonly fields?: StateFields<S>;
  /** Why no contract can be in a state, as a few words; undefined where one can. Absent: every state can be. */
  impossible?(state: S): string | undefined;
  /** Why no pool of so many tokens can be in a state. Absent: there are as many as balances, or two. */
  tokensFault?(state: S, tokens: number): string | undefined;

  /** Payments do not depend on time, or not in the states for which it answers so. Absent: they may change by time alone. */
  readonly timeless?: true | ((state: S) => boolean);
  /** A route uses the pool once: its state after a swap is not known before the next block. Absent: its maths tells. */
  usedOnce?(state: S): boolean;
  /** Whether the float view differs between two times, unix seconds, for its gas. Absent: its gas does not depend on time. */
  agesBetween?(state: S, one: bigint, other: bigint): boolean;

  /** It is switched off both ways, so that nobody can trade it. Absent: it cannot be. */
  isPaused?(state: S): boolean;

  /** Absent, or undefined: it draws its input by an allowance. */
  payment?(state: S): Payment | undefined;

  /** The state has the totals of the ERC-4626 vault whose share is token 1: pools of one vault move together. Absent: no vault. */
  readonly sharesTotals?: true;
  /** Transfer taxes of its two tokens, counted in its payments. Absent, or undefined: none. */
  taxes?(state: S): readonly [TokenTax, TokenTax] | undefined;
  /** The state with other taxes. Present where `taxes` is: other pools do not trade tokens that keep a part of transfers. */
  withTaxes?(state: S, taxes: readonly [TokenTax, TokenTax] | undefined): S;

  /**
   * Index of a token that keeps balances as rounded shares, and of which it counts the amount that is named when that is sold,
   * whatever a transfer moves. Absent, or undefined: there is none.
   */
  countsNamed?(state: S): number | undefined;

  /** Value of the pool's own share, for pools that hold it; undefined if unknown. Absent: nobody asks. */
  sharePrice?(state: S, time: bigint): bigint | undefined;
  /** The pool whose share price is part of the state. Absent, or undefined in some states: none. */
  basePool?(state: S): PoolId | undefined;
  /** The state once the base pool's share is worth something else. Present where `basePool` is. */
  atBasePrice?(state: S, price: bigint): S;

  /** The most that an exact output of a token may bring beyond what is wanted, for who swaps. Absent: nothing. */
  mostBeyond?(state: S, token: number): bigint;

  /** Gas of turning one token into as much of the other, of a curve that does nothing else. Absent: it is not one to one. */
  oneToOneGas?(state: S): bigint;
  /** The pool rounds its fee down, so that it may pay more than the float view by a base unit of what is sold. Absent: it does not. */
  readonly roundsFeeDown?: true;

  /** A maker's: levels that nobody has signed for, or a signed order. Absent: a contract's. */
  readonly offer?: "indicative" | "firm";
  /** The last second at which it can be traded, unix seconds. Absent: for ever. */
  expiry?(state: S): bigint;
}
