import type { Redis } from "ioredis";
import type { Lease } from "../../market/feed/shared-feed.ts";
import type { KeyNames } from "./connection.ts";
import { LEAVE, PULSE } from "./scripts.ts";

/** Milliseconds between two beats: revoked keys are seen within it, and a lease that is free. */
const BEAT_MS = 250;
/** Milliseconds after its last beat that a process counts as there. */
const THERE_MS = 5_000;
/** Milliseconds that revoked keys are told for: long after every copy of the keys has been renewed. */
const REVOKED_MS = 7 * 86_400_000;
/** Revoked keys are told again that were so short before the last beat: of two in one millisecond one may have come later. */
const OVERLAP_MS = 2_000;

type Beat = readonly [now: number, token: string, processes: number, revoked: readonly string[]];

interface PulseCommands {
  tributaryPulse(...values: readonly (string | number)[]): Promise<Beat>;
  tributaryLeave(...values: readonly string[]): Promise<number>;
}

/** One process's beat in a fleet: it keeps its lease, is counted, and learns which keys were revoked, in one command. */
export class Pulse {
  readonly #redis: Redis;
  readonly #names: KeyNames;
  readonly #id: string;
  readonly #leaseMs: number;
  readonly #listeners = new Set<() => void>();
  readonly #revoked = new Set<string>();
  #wantsLease = false;
  #token = 0;
  /** When the last beat that was answered was sent, on this process's clock, which never goes back. */
  #heardAt = Number.NEGATIVE_INFINITY;
  #processes = 1;
  #revokedSince = 0;
  /** Redis's time less this process's, milliseconds; undefined before the first beat. */
  #offset: number | undefined;
  #told: Lease["state"] | number = "unknown";
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  /** `leaseMs`: a lease ends so long after the last beat of its holder. */
  constructor(redis: Redis, names: KeyNames, { id, leaseMs }: { readonly id: string; readonly leaseMs: number }) {
    this.#redis = redis;
    this.#names = names;
    this.#id = id;
    this.#leaseMs = leaseMs;
    redis.defineCommand("tributaryPulse", { numberOfKeys: 4, lua: PULSE });
    redis.defineCommand("tributaryLeave", { numberOfKeys: 2, lua: LEAVE });
    this.#timer = setTimeout(() => void this.#beat(), 0);
  }

  /** Counted from when a beat was sent: a process that stood still for long does not take itself for the holder. */
  get lease(): Lease {
    if (performance.now() - this.#heardAt >= this.#leaseMs) return { state: "unknown" };
    return this.#token === 0 ? { state: "elsewhere" } : { state: "held", token: this.#token };
  }

  /** Processes of the fleet when it last answered. */
  get processes(): number {
    return this.#processes;
  }

  get isReachable(): boolean {
    return performance.now() - this.#heardAt < this.#leaseMs;
  }

  /** Milliseconds since a moment of Redis's time. */
  ageOf(redisMs: number): number {
    return this.#offset === undefined ? 0 : Math.max(0, performance.now() + this.#offset - redisMs);
  }

  isRevoked(keyId: string): boolean {
    return this.#revoked.has(keyId);
  }

  onLease(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  compete(wants: boolean): void {
    this.#wantsLease = wants;
  }

  /** Gives the lease back: another process need not wait until it ends. */
  async leave(): Promise<void> {
    this.#isOver = true;
    clearTimeout(this.#timer);
    await this.#commands.tributaryLeave(this.#names.lease, this.#names.replicas, this.#id).catch(() => {});
  }

  get #commands(): PulseCommands {
    return this.#redis as unknown as PulseCommands;
  }

  async #beat(): Promise<void> {
    const { lease, token, replicas, revoked } = this.#names;
    const sentAt = performance.now();
    try {
      const values = [this.#id, this.#leaseMs, this.#wantsLease ? 1 : 0, this.#revokedSince, THERE_MS, REVOKED_MS];
      const beat = await this.#commands.tributaryPulse(lease, token, replicas, revoked, ...values);
      this.#heard(beat, sentAt);
    } catch {
      // The connection logs it; the lease says that nobody knows, once it is over.
    }
    if (this.#isOver) return;
    this.#tell();
    this.#timer = setTimeout(() => void this.#beat(), Math.max(0, BEAT_MS - (performance.now() - sentAt)));
  }

  #heard([now, token, processes, revoked]: Beat, sentAt: number): void {
    this.#heardAt = sentAt;
    this.#offset = now - (sentAt + performance.now()) / 2;
    this.#token = Number(token);
    this.#processes = processes;
    this.#revokedSince = now - OVERLAP_MS;
    for (const keyId of revoked) this.#revoked.add(keyId);
  }

  #tell(): void {
    const { lease } = this;
    const told = lease.state === "held" ? lease.token : lease.state;
    if (told === this.#told) return;
    this.#told = told;
    for (const listener of this.#listeners) listener();
  }
}
