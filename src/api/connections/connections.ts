import type { Socket } from "node:net";
import type { Response } from "../http/messages.ts";
import type { DoorBounds } from "../limits/bounds.ts";
import type { CallerAddress } from "../limits/caller-address.ts";
import { networkOf } from "../limits/caller-address.ts";
import type { Ledger, Rate } from "../limits/ledger.ts";

/** Seconds' worth of new connections that may come at once. */
const NEW_BURST_SECONDS = 5;

/** Seconds' worth of resets that may come at once. */
const RESET_BURST_SECONDS = 2;

/** How many times as many connections an address may open from which a valid key came lately. */
const KNOWN_FACTOR = 5;

/** Addresses from which valid keys came, and milliseconds for which that is remembered. */
const MOST_KNOWN = 10_000;
const KNOWN_MS = 600_000;

/** Requests beyond their address's rate after which an HTTP/2 connection is cut. */
const MOST_STRIKES = 3;

/** One connection, and what it is good for. */
export class Connection {
  /** Names it in the ledger. */
  readonly id: string;
  readonly network: string;
  readonly isProxy: boolean;
  #cut: () => void;
  #giveBack: (() => void) | undefined;
  /** Answers under way that keep it from being idle. */
  readonly #useful = new Set<Response>();
  #lastUseful = performance.now();
  #streams = 0;
  #strikes = 0;
  keyId: string | undefined;

  constructor(id: string, peer: { readonly network: string; readonly isProxy: boolean }, cut: () => void) {
    this.id = id;
    this.network = peer.network;
    this.isProxy = peer.isProxy;
    this.#cut = cut;
  }

  cut(): void {
    this.#cut();
  }

  /** How it ends, once its protocol is known. */
  cutBy(cut: () => void): void {
    this.#cut = cut;
  }

  /** Milliseconds for which nothing was asked of it; streams that need no key count as nothing. */
  idleMs(now: number): number {
    return this.#useful.size > 0 ? 0 : now - this.#lastUseful;
  }

  get isIdle(): boolean {
    return this.#useful.size === 0;
  }

  /** Whether nothing but streams that need no key are open on it. */
  get onlyStreams(): boolean {
    return this.isIdle && this.#streams > 0;
  }

  begin(response: Response): void {
    this.#useful.add(response);
    response.once("close", () => this.#end(response));
  }

  #end(response: Response): void {
    if (this.#useful.delete(response)) this.#lastUseful = performance.now();
  }

  /** A stream that needs no key: it does not keep the connection from being idle. */
  beginKeylessStream(response: Response): void {
    this.#end(response);
    this.#streams += 1;
    response.once("close", () => {
      this.#streams -= 1;
    });
  }

  /** A request beyond what its address may send: the connection ends with the answer, or after some more of these. */
  strike(response: Response): void {
    if (this.isProxy) return;
    if (!("stream" in response)) {
      if (!response.headersSent) response.setHeader("connection", "close");
      return;
    }
    this.#strikes += 1;
    if (this.#strikes >= MOST_STRIKES) this.#cut();
  }

  /** Gives back its place in the ledger, for another one or none. */
  moveTo(giveBack?: () => void): void {
    this.#giveBack?.();
    this.#giveBack = giveBack;
  }
}

/** All connections, each with a place that its address, its key and all together have room for. */
export interface Connections {
  /** The connection of a new socket, or undefined where there is no place for it. */
  admit(socket: Socket): Connection | undefined;
  /** Notes that a valid key came over a connection, from a network. */
  welcome(connection: Connection, keyId: string, network: string): void;
  /** Notes that a caller has reset a stream. Too many cut the connection. */
  reset(connection: Connection, network: string): void;
  /** Whether a network has reset more streams than it may. */
  isResetting(network: string): boolean;
  /** Whether a connection may speak HTTP/2: none may of a network that is resetting, unless a key is known there. */
  maySpeakHttp2(connection: Connection): boolean;
  /** Cuts those that have held nothing but streams without a key for so long. */
  cutUseless(idleMs: number): void;
}

export function createConnections(
  ledger: Ledger,
  { connections: bounds, resetsPerSecond }: Pick<DoorBounds, "connections" | "resetsPerSecond">,
  addresses: CallerAddress,
): Connections {
  const all = new Set<Connection>();
  /** Connections without a key, by network, oldest first. */
  const keyless = new Map<string, Set<Connection>>();
  /** When a valid key last came from a network, oldest first. */
  const known = new Map<string, number>();
  /** What the opening of each was charged to, until a valid key comes. */
  const chargedFor = new WeakMap<Connection, readonly Rate[]>();
  let count = 0;

  const isKnown = (network: string) => performance.now() - (known.get(network) ?? Number.NEGATIVE_INFINITY) < KNOWN_MS;
  const rate = (what: string, who: string, perSecond: number): Rate => ({
    ...{ what, who, perSecond },
    burst: perSecond * NEW_BURST_SECONDS,
  });
  const resetsOf = (who: string): Rate => ({
    ...{ what: "resets", who, perSecond: resetsPerSecond },
    burst: resetsPerSecond * RESET_BURST_SECONDS,
  });
  const newInAll = rate("new connections", "", bounds.newPerSecond);

  /** What another connection of a network is charged to. */
  function ratesFor(network: string): readonly Rate[] {
    if (!isKnown(network)) return [rate("new connections", network, bounds.newPerSecondAndAddress), newInAll];
    return [rate("new connections of a known address", network, bounds.newPerSecondAndAddress * KNOWN_FACTOR)];
  }

  /** The network with most connections without a key: who has many gives way to who has few. */
  function crowd(): Set<Connection> | undefined {
    let most: Set<Connection> | undefined;
    for (const group of keyless.values()) if (most === undefined || group.size > most.size) most = group;
    return most;
  }

  /** Ends the least useful connection of a group. @returns false when there is none */
  function makeRoom(group: Set<Connection> | undefined): boolean {
    if (group === undefined) return false;
    const victim = group.values().find((connection) => connection.isIdle) ?? group.values().next().value;
    if (victim === undefined) return false;
    forget(victim);
    victim.cut();
    return true;
  }

  function forget(connection: Connection): void {
    all.delete(connection);
    leaveKeyless(connection);
    connection.moveTo();
  }

  function leaveKeyless(connection: Connection): void {
    const group = keyless.get(connection.network);
    if (group?.delete(connection) && group.size === 0) keyless.delete(connection.network);
  }

  /** A place among all connections, and one among those without a key. */
  function placeFor({ network, isProxy }: Connection): (() => void) | undefined {
    const total = { what: "connections", who: "", most: bounds.most };
    const own = { what: "keyless connections", who: network, most: bounds.perAddress };
    const strangers = { what: "keyless connections", who: "", most: bounds.keyless };
    const needed = isProxy ? [total] : [own, strangers, total];
    let held = ledger.hold(needed);
    while (typeof held !== "function") {
      if (!makeRoom(held.full === own ? keyless.get(network) : crowd())) return undefined;
      held = ledger.hold(needed);
    }
    return held;
  }

  return {
    admit(socket) {
      const peer = socket.remoteAddress ?? "";
      const isProxy = addresses.isProxy(peer);
      const network = networkOf(peer);
      const charged = isProxy ? [] : ratesFor(network);
      if (!charged.every((rate) => ledger.spend(rate).allowed)) return undefined;
      count += 1;
      const connection = new Connection(String(count), { network, isProxy }, () => socket.destroy());
      const place = placeFor(connection);
      if (place === undefined) return undefined;
      connection.moveTo(place);
      chargedFor.set(connection, charged);
      all.add(connection);
      if (!isProxy) keyless.set(network, (keyless.get(network) ?? new Set()).add(connection));
      socket.once("close", () => forget(connection));
      return connection;
    },
    welcome(connection, keyId, network) {
      known.delete(network);
      known.set(network, performance.now());
      if (known.size > MOST_KNOWN) known.delete(known.keys().next().value!);
      if (connection.keyId === keyId || connection.isProxy || !all.has(connection)) return;
      const ofKey = { what: "connections of a key", who: keyId, most: bounds.perKey };
      // Where the key has as many as it may, the connection stays one that gives way to others.
      if (ledger.held(ofKey.what, keyId) >= ofKey.most) return;
      for (const rate of chargedFor.get(connection) ?? []) ledger.refund(rate);
      chargedFor.delete(connection);
      connection.moveTo();
      const held = ledger.hold([{ what: "connections", who: "", most: bounds.most }, ofKey]);
      if (typeof held === "function") connection.moveTo(held);
      leaveKeyless(connection);
      connection.keyId = keyId;
    },
    reset(connection, network) {
      if (!ledger.owe(resetsOf(network)) && !connection.isProxy) connection.cut();
    },
    maySpeakHttp2: ({ network, isProxy }) => isProxy || isKnown(network) || !ledger.isSpent(resetsOf(network)),
    isResetting: (network) => ledger.isSpent(resetsOf(network)),
    cutUseless(idleMs) {
      const now = performance.now();
      for (const connection of all) {
        if (connection.onlyStreams && connection.idleMs(now) >= idleMs) connection.cut();
      }
    },
  };
}
