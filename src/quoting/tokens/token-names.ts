import type { Address } from "../../domain/address.ts";
import type { Token } from "../../domain/token.ts";
import type { TokenRegistry } from "../ports.ts";

/** Tokens whose names are kept to search in. */
export const MAX_NAMED = 2_000;
/** Tokens that the chain is asked about in one round; a round follows each count of tokens. */
const ASKED_PER_ROUND = 16;
/** Rounds after which a contract that told no usable token is asked again. */
const AGAIN_AFTER_ROUNDS = 5_000;
/** Rounds after which a token is asked about again that the node did not answer for: others have their turn meanwhile. */
const FAILED_AGAIN_AFTER_ROUNDS = 20;

/** A token with its texts in lower case. */
interface Named {
  readonly token: Token;
  readonly texts: readonly string[];
}

/** Names of tokens. The deepest ones are asked in the background, a few at a time; no search waits for them. */
export class TokenNames {
  readonly #registry: Pick<TokenRegistry, "known" | "find">;
  readonly #named = new Map<Address, Named>();
  /** Tokens that have not told what they are called, with the round from which on they are asked again. */
  readonly #waiting = new Map<Address, number>();
  #round = 0;
  #asking: Promise<void> | undefined;

  /** `registry`: one that wakes no pools. */
  constructor(registry: Pick<TokenRegistry, "known" | "find">) {
    this.#registry = registry;
  }

  /** Token, if known without asking the chain. */
  known(address: Address): Token | undefined {
    return this.#named.get(address)?.token ?? this.#registry.known(address);
  }

  /** Notes what a token is called. */
  keep(token: Token): void {
    if (this.#named.size >= MAX_NAMED && !this.#named.has(token.address)) return;
    const texts = [token.symbol, token.name].map((text) => text.toLowerCase());
    this.#named.set(token.address, { token, texts });
  }

  /** Tokens whose symbol or name contains a text in lower case. */
  search(text: string): readonly Address[] {
    const found: Address[] = [];
    for (const [address, { texts }] of this.#named) if (texts.some((it) => it.includes(text))) found.push(address);
    return found;
  }

  /** Asks the chain about the next of these tokens, the most wanted first, unless it is asked already. Never rejects. */
  learn(wanted: readonly Address[]): Promise<void> {
    this.#asking ??= this.#ask(wanted).finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #ask(wanted: readonly Address[]): Promise<void> {
    this.#round += 1;
    if (this.#named.size >= MAX_NAMED) this.#forgetAllBut(new Set(wanted));
    const next: Address[] = [];
    for (const address of wanted) {
      if (next.length === ASKED_PER_ROUND || this.#named.size + next.length >= MAX_NAMED) break;
      if (this.#named.has(address) || this.#round < (this.#waiting.get(address) ?? 0)) continue;
      const known = this.#registry.known(address);
      if (known === undefined) next.push(address);
      else this.keep(known);
    }
    await Promise.all(next.map((address) => this.#find(address)));
  }

  async #find(address: Address): Promise<void> {
    const found = await this.#registry.find(address).catch(() => "unknown" as const);
    if (found === "unknown") this.#wait(address, FAILED_AGAIN_AFTER_ROUNDS);
    else if (found === undefined) this.#wait(address, AGAIN_AFTER_ROUNDS);
    else {
      this.#waiting.delete(address);
      this.keep(found);
    }
  }

  /** Makes room for tokens that have become deep. */
  #forgetAllBut(wanted: ReadonlySet<Address>): void {
    for (const address of this.#named.keys()) if (!wanted.has(address)) this.#named.delete(address);
  }

  #wait(address: Address, rounds: number): void {
    const [oldest] = this.#waiting.keys();
    if (this.#waiting.size >= MAX_NAMED && oldest !== undefined) this.#waiting.delete(oldest);
    this.#waiting.set(address, this.#round + rounds);
  }
}
