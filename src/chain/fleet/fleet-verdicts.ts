import type { Address } from "../../domain/address.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import type { TokenTaxes } from "../../market/taxed-pools.ts";
import type { TokenFigures, TokenTests } from "../tokens/token-verdicts.ts";
import type { Questions } from "./questions.ts";

interface FleetVerdictsOptions {
  readonly tests: TokenTests;
  /** Tokens that are kept out by the word of who tells the feed; undefined where nobody has. */
  readonly told: () => ReadonlyMap<Address, string> | undefined;
  readonly isLeading: () => boolean;
  readonly questions: Pick<Questions, "test">;
}

const NONE: ReadonlyMap<Address, string> = new Map();

/**
 * Verdicts of a fleet: what its leader tells, and what this process finds out about tokens that it meets first. That is put to
 * the leader, and forgotten after some blocks: by then the feed says it.
 */
export class FleetVerdicts implements TokenTests {
  readonly #options: FleetVerdictsOptions;
  /** Tokens kept out by earlier leaders, until this process has tested them itself. */
  #inherited: ReadonlyMap<Address, string> = NONE;
  #wasLeading = false;
  #merged: { readonly own: ReadonlyMap<Address, string>; readonly told: object; readonly all: typeof NONE } | undefined;

  constructor(options: FleetVerdictsOptions) {
    this.#options = options;
  }

  keptOut(): ReadonlyMap<Address, string> {
    const { tests, told } = this.#options;
    const [own, others] = [tests.keptOut(), told() ?? this.#inherited];
    if (others.size === 0) return own;
    if (own.size === 0) return others;
    if (this.#merged?.own !== own || this.#merged.told !== others)
      this.#merged = { own, told: others, all: new Map([...others, ...own]) };
    return this.#merged.all;
  }

  /** As measured here: what the leader has measured comes with the pools that its feed tells. */
  taxes(): TokenTaxes {
    return this.#options.tests.taxes();
  }

  isUntestable(token: Address): boolean {
    return this.#options.tests.isUntestable(token);
  }

  test(tokens: readonly Address[]): Promise<void> | undefined {
    const { tests } = this.#options;
    const unknown = tokens.filter((token) => !this.keptOut().has(token));
    return tests.test(unknown)?.then(() => this.#tell(unknown));
  }

  async testAgain(tokens: readonly Address[], holders: readonly Address[]): Promise<boolean> {
    const isOut = await this.#options.tests.testAgain(tokens, holders);
    this.#tell(tokens);
    return isOut;
  }

  /** A snapshot of this process's own following: what the feed said so far is tested by this process. */
  look(snapshot: Pick<Snapshot, "block">): void {
    const { tests, told } = this.#options;
    if (!this.#wasLeading) {
      this.#wasLeading = true;
      this.#inherited = told() ?? NONE;
      void tests.test([...this.#inherited.keys()])?.then(() => {
        this.#inherited = NONE;
      });
    }
    tests.look(snapshot);
  }

  /** A snapshot that the feed told. */
  told({ block }: Pick<Snapshot, "block">): void {
    this.#wasLeading = false;
    this.#inherited = NONE;
    this.#options.tests.forgetOld(block.number);
  }

  forgetOld(head: bigint): void {
    this.#options.tests.forgetOld(head);
  }

  figures(): TokenFigures {
    return { ...this.#options.tests.figures(), keptOut: this.keptOut() };
  }

  stop(): Promise<void> {
    return this.#options.tests.stop();
  }

  #tell(tokens: readonly Address[]): void {
    const { tests, isLeading, questions } = this.#options;
    const out = tokens.filter((token) => tests.keptOut().has(token));
    if (out.length > 0 && !isLeading()) questions.test(out);
  }
}
