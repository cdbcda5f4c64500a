import { refuse, type SwapError } from "../../domain/errors/swap-error.ts";
import type { ServerBounds } from "./bounds.ts";
import type { Ledger } from "./ledger.ts";

/** Seconds' worth of requests that may come at once: of one address, and of all together. */
const BURST_SECONDS = { address: 10, probes: 2, total: 2 };

/** Factor for probes: a flood from the same address must not have the service restarted. */
const PROBE_FACTOR = 4;

/**
 * Part of the rate of an address that its probes may have beside what all probes share: a flood of probes from elsewhere
 * must not have the service restarted either.
 */
const OWN_PROBES_PART = 5;

/** Units of a request that opens a stream, or has a question of a stream answered: several times the work of a page. */
const STREAM_UNITS = 10;

/** Kind of a request without a valid key. Probes have a rate of their own. */
export type KeylessKind = "probe" | "page" | "stream";

/** A stream that stays open, and whose it is. */
export interface StreamOrigin {
  /** Names the connection. */
  readonly connection: string;
  readonly network: string;
  /** Whether its service needs a key; health and reflection do not. */
  readonly needsKey: boolean;
}

/** Bounds what callers do that no key answers for. */
export interface Keyless {
  /**
   * Charges a request without a valid key to its network.
   * @throws SwapError TOO_MANY_REQUESTS
   */
  charge(network: string, kind: KeylessKind): void;
  /**
   * Counts an open stream until what it answers is called.
   * @throws SwapError TOO_MANY_REQUESTS
   */
  openStream(origin: StreamOrigin): () => void;
}

const CONNECTION_STREAMS = "streams of a connection";
const KEYLESS_OF_CONNECTION = "keyless streams of a connection";

/** Advice to a caller that meets a full count of streams. */
const INSTEAD: Readonly<Record<string, string>> = {
  [CONNECTION_STREAMS]: "open more on another connection, or end one of them first",
  [KEYLESS_OF_CONNECTION]: "end one of them first",
};

export function createKeyless(ledger: Ledger, bounds: ServerBounds): Keyless {
  const { streams, keylessPerSecond, keylessPerSecondAndAddress } = bounds;
  const ownProbes = (who: string) => {
    const perSecond = keylessPerSecondAndAddress / OWN_PROBES_PART;
    return { what: "own probes", who, perSecond, burst: perSecond * BURST_SECONDS.probes };
  };
  return {
    charge(network, kind) {
      const isProbe = kind === "probe";
      const units = kind === "stream" ? STREAM_UNITS : 1;
      const perSecond = keylessPerSecondAndAddress * (isProbe ? PROBE_FACTOR : 1);
      const what = isProbe ? "probes" : "keyless requests";
      const burst = perSecond * (isProbe ? BURST_SECONDS.probes : BURST_SECONDS.address);
      const own = ledger.spend({ what, who: network, perSecond, burst }, units);
      if (!own.allowed) throw tooMany("too many requests without a valid API key came from this network address", own);
      if (isProbe && ledger.spend(ownProbes(network)).allowed) return;
      const all = { what, who: "", perSecond: keylessPerSecond, burst: keylessPerSecond * BURST_SECONDS.total };
      const total = ledger.spend(all, units);
      if (!total.allowed) throw tooMany("too many requests come without a valid API key", total);
    },
    openStream({ connection, network, needsKey }) {
      const held = ledger.hold([
        { what: CONNECTION_STREAMS, who: connection, most: streams.perConnection },
        ...(needsKey
          ? []
          : [
              { what: KEYLESS_OF_CONNECTION, who: connection, most: streams.keylessPerConnection },
              { what: "keyless streams of this network address", who: network, most: streams.keylessPerAddress },
              { what: "keyless streams", who: "", most: streams.keyless },
            ]),
      ]);
      if (typeof held === "function") return held;
      const { what, most } = held.full;
      const message = `${most} ${what} are open, the most allowed - ${INSTEAD[what] ?? "try again later"}`;
      throw refuse("TOO_MANY_OPEN_STREAMS", message);
    },
  };
}

function tooMany(what: string, { retryAfterMs }: { readonly retryAfterMs: number }): SwapError {
  return refuse("TOO_MANY_KEYLESS_REQUESTS", `${what} - send a key, or fewer requests`, {
    retryAfterSeconds: Math.max(1, Math.ceil(retryAfterMs / 1_000)),
  });
}
