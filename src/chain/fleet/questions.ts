import type { Address } from "../../domain/address.ts";
import { isAddressText, toAddress } from "../../domain/address.ts";
import type { PoolId } from "../../domain/route.ts";
import type { Question, SharedFeed } from "../../market/feed/shared-feed.ts";
import { createThrottle } from "../../ops/throttle.ts";
import type { Clock } from "../rpc/clock.ts";

/** Milliseconds for which what is asked is gathered, and for which it is not asked again. */
const GATHERED_MS = 100;
const AGAIN_AFTER_MS = 30_000;
/** Names in one question; what more is asked meanwhile is left out, and asked with the next request. */
const MAX_NAMES = 200;

/** Puts to whoever follows the chain what this process's callers need of it. */
export class Questions {
  readonly #shared: Pick<SharedFeed, "ask">;
  readonly #clock: Clock;
  readonly #isNew: (name: string) => boolean;
  readonly #gathered = new Map<Question["kind"], Set<string>>();

  constructor(shared: Pick<SharedFeed, "ask">, clock: Clock) {
    this.#shared = shared;
    this.#clock = clock;
    this.#isNew = createThrottle(AGAIN_AFTER_MS, clock.elapsed);
  }

  want(token: Address): void {
    this.#gather("want", [token]);
  }

  recheck(pools: readonly PoolId[]): void {
    this.#gather("recheck", pools);
  }

  test(tokens: readonly Address[]): void {
    this.#gather("test", tokens);
  }

  #gather(kind: Question["kind"], names: readonly string[]): void {
    const gathered = this.#gathered.get(kind);
    const room = MAX_NAMES - (gathered?.size ?? 0);
    const fresh = names.slice(0, room).filter((name) => this.#isNew(`${kind} ${name}`));
    if (fresh.length === 0) return;
    if (gathered !== undefined) {
      for (const name of fresh) gathered.add(name);
      return;
    }
    const begun = new Set(fresh);
    this.#gathered.set(kind, begun);
    this.#clock.after(GATHERED_MS, () => {
      this.#gathered.delete(kind);
      const asked = [...begun];
      this.#shared.ask(kind === "recheck" ? { kind, pools: asked } : { kind, tokens: asked });
    });
  }
}

/** Handlers of a fleet's questions, in the process that follows the chain. */
export interface Answering {
  want(token: Address): void;
  recheck(pools: readonly PoolId[]): void;
  test(tokens: readonly Address[]): void;
}

/** Does what another process asks for; what is no name is passed over. */
export function answer(question: Question, answering: Answering): void {
  if (question.kind === "recheck") answering.recheck(question.pools.slice(0, MAX_NAMES));
  else {
    const tokens = question.tokens.slice(0, MAX_NAMES).filter(isAddressText).map(toAddress);
    if (question.kind === "test") answering.test(tokens);
    else for (const token of tokens) answering.want(token);
  }
}
