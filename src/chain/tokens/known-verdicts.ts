import type { Address } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import { isSameTax, keptOutReason, type TokenTax, type TokenVerdict, taxIn } from "../../domain/token-verdict.ts";
import type { TokenTaxes } from "../../market/taxed-pools.ts";
import type { Logger } from "../../ops/logger.ts";
import type { BlockMemo, BlockMemory } from "../rpc/block-memory.ts";

/** Verdicts that are kept; the oldest give way, and such a token is tested anew when it is next met. */
const MAX_REMEMBERED = 20_000;

interface Known {
  readonly verdict: TokenVerdict;
  /** The block that it was found at. */
  readonly at: BlockRef;
}

/**
 * Verdicts on tokens, and which of them are kept out of routes by theirs. A verdict from a block that is gone says nothing:
 * another contract may stand at the address now.
 */
export class KnownVerdicts {
  readonly #known: BlockMemo<Address, Known>;
  readonly #logger: Logger;
  #keptOut: ReadonlyMap<Address, string> = new Map();
  #taxes: TokenTaxes = new Map();

  constructor(memory: BlockMemory, logger: Logger) {
    this.#known = memory.memo({ most: MAX_REMEMBERED, onForgotten: (token) => this.#readmit(token) });
    this.#logger = logger;
  }

  /** Tokens that no route uses, with the reason: the same map as long as they are the same. */
  get keptOut(): ReadonlyMap<Address, string> {
    return this.#keptOut;
  }

  /** Transfer taxes of kept-out tokens with a fixed rate: one map until they change. */
  get taxes(): TokenTaxes {
    return this.#taxes;
  }

  get size(): number {
    return this.#known.size;
  }

  /** All verdicts, the oldest first. */
  entries(): Iterable<readonly [Address, Known]> {
    return this.#known.entries();
  }

  /** Verdict on a token known as of a block. */
  on(token: Address, at: BlockRef | undefined): TokenVerdict | undefined {
    return this.#known.get(token, at)?.verdict;
  }

  remember(token: Address, verdict: TokenVerdict, at: BlockRef): void {
    const before = this.on(token, at);
    // A node that cannot test now does not take back what was seen; and that another amount is off is no news.
    const isOld = verdict.kind === "untestable" || (verdict.kind === "inexact" && before?.kind === "inexact");
    const lasting = isOld && before !== undefined ? before : verdict;
    this.#known.set(token, { verdict: lasting, at }, at);
    // The block has left the chain meanwhile.
    if (this.on(token, undefined) === undefined) return;
    this.#tell(token, lasting, before);
    this.#setTax(token, taxIn(lasting));
    const reason = keptOutReason(lasting);
    if (reason === this.#keptOut.get(token)) return;
    const rest = [...this.#keptOut].filter(([other]) => other !== token);
    this.#keptOut = new Map(reason === undefined ? rest : [...rest, [token, reason]]);
  }

  /** A verdict says nothing any more: the token is tested when it is next met. */
  forget(token: Address): void {
    this.#known.delete(token);
    this.#readmit(token);
  }

  #setTax(token: Address, tax: TokenTax | undefined): void {
    const known = this.#taxes.get(token);
    if (known === tax || (known !== undefined && tax !== undefined && isSameTax(known, tax))) return;
    const rest = [...this.#taxes].filter(([other]) => other !== token);
    this.#taxes = new Map(tax === undefined ? rest : [...rest, [token, tax]]);
  }

  #readmit(token: Address): void {
    this.#setTax(token, undefined);
    if (this.#keptOut.has(token)) this.#keptOut = new Map([...this.#keptOut].filter(([other]) => other !== token));
  }

  #tell(token: Address, verdict: TokenVerdict, before: TokenVerdict | undefined): void {
    if (verdict.kind === before?.kind) return;
    const reason = keptOutReason(verdict);
    const logger = this.#logger;
    if (reason !== undefined) logger.warn({ token, verdict: verdict.kind, reason }, "a token is kept out of routes");
    else if (verdict.kind === "untestable") {
      logger.info({ token, reason: verdict.reason }, "a token's transfers could not be tested: it is routed untested");
    } else if (before !== undefined && before.kind !== "untestable") {
      logger.info({ token }, "a token that was kept out of routes is plain again");
    }
  }
}
