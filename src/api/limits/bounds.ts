/** Bounds on what callers hold open and do, per connection, per address, per key and in total. A rate of 0 is none. */
export interface ServerBounds {
  readonly connections: {
    readonly most: number;
    /** Connections on which no valid key was seen: in total, and of one address. */
    readonly keyless: number;
    readonly perAddress: number;
    readonly perKey: number;
    /** New ones in a second: in total, and of one address. */
    readonly newPerSecond: number;
    readonly newPerSecondAndAddress: number;
  };
  /** Streams that stay open: of prices, health and reflection on one connection; the last two need no key. */
  readonly streams: {
    readonly perConnection: number;
    readonly keyless: number;
    readonly keylessPerAddress: number;
    readonly keylessPerConnection: number;
  };
  /** Requests without a valid key in a second: in total, and of one address. */
  readonly keylessPerSecond: number;
  readonly keylessPerSecondAndAddress: number;
  /** Bytes in a second, requests or not: without a valid key of one address and in total, and of one key. */
  readonly bytes: {
    readonly keylessPerSecondAndAddress: number;
    readonly keylessPerSecond: number;
    readonly perSecondAndKey: number;
  };
  /** HTTP/2 streams that one address may reset in a second. */
  readonly resetsPerSecond: number;
  /** Wrong API keys that one address may send in a minute. */
  readonly wrongKeysPerMinute: number;
}

/** Bounds that suit a public service. `src/ops/options.ts` has the same as defaults of options. */
export const DEFAULT_BOUNDS: ServerBounds = {
  connections: {
    most: 10_000,
    keyless: 2_000,
    perAddress: 500,
    perKey: 1_000,
    newPerSecond: 300,
    newPerSecondAndAddress: 100,
  },
  streams: { perConnection: 100, keyless: 1_000, keylessPerAddress: 100, keylessPerConnection: 10 },
  keylessPerSecond: 500,
  keylessPerSecondAndAddress: 50,
  bytes: { keylessPerSecondAndAddress: 262_144, keylessPerSecond: 4_194_304, perSecondAndKey: 8_388_608 },
  resetsPerSecond: 100,
  wrongKeysPerMinute: 60,
};
