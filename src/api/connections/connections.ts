import type { Socket } from "node:net";
import type { Response } from "../http/messages.ts";
import type { DoorBounds } from "../limits/bounds.ts";
import type { CallerAddress } from "../limits/caller-address.ts";
import { networkOf } from "../limits/caller-address.ts";
import type { Ledger, Rate } from "../limits/ledger.ts";
import { createBytesRead } from "./bytes-read.ts";
import { Connection } from "./connection.ts";
import { KeylessConnections } from "./keyless-connections.ts";
import { KnownNetworks } from "./known-networks.ts";
import { createResets } from "./resets.ts";

/** Seconds' worth of new connections that may come at once. */
const NEW_BURST_SECONDS = 5;

/** How many times as many connections an address may open from which a valid key came lately. */
const KNOWN_FACTOR = 5;

/** All connections, each with a place that its address, its key and all together have room for. */
export interface Connections {
  /** The connection of a new socket, or undefined where there is no place for it. */
  admit(socket: Socket): Connection | undefined;
  /** Notes that a valid key came over a connection, from a network. */
  welcome(connection: Connection, keyId: string, network: string): void;
  /** Notes that a caller has reset a stream. Too many cut the connection. */
  reset(connection: Connection, network: string): void;
  /** Ends a connection with the answer to a request beyond what its network may send, or at once when more of these come. */
  refuse(connection: Connection, network: string, response: Response): void;
  /** Whether a network has flooded HTTP/2 connections, or has reset more streams than it may. */
  isResetting(network: string): boolean;
  /** Whether a connection may speak HTTP/2: none may of a network that is resetting, unless a key is known there. */
  maySpeakHttp2(connection: Connection): boolean;
  /** Cuts those that have held nothing but streams without a key for so long. */
  cutUseless(idleMs: number): void;
  /** Cuts those of addresses and keys that have sent too many bytes since the last look. */
  cutFloods(): void;
}

export function createConnections(
  ledger: Ledger,
  { connections: bounds, bytes, resetsPerSecond }: Pick<DoorBounds, "connections" | "bytes" | "resetsPerSecond">,
  addresses: CallerAddress,
): Connections {
  const all = new Set<Connection>();
  const keyless = new KeylessConnections();
  const known = new KnownNetworks();
  /** What the opening of each was charged to, until a valid key comes. */
  const chargedFor = new WeakMap<Connection, readonly Rate[]>();
  const resets = createResets(ledger, resetsPerSecond);
  const bytesRead = createBytesRead(ledger, bytes);
  let count = 0;

  const rate = (what: string, who: string, perSecond: number): Rate => ({
    ...{ what, who, perSecond },
    burst: perSecond * NEW_BURST_SECONDS,
  });
  const newInAll = rate("new connections", "", bounds.newPerSecond);

  /** What another connection of a network is charged to. */
  function ratesFor(network: string): readonly Rate[] {
    if (!known.has(network)) return [rate("new connections", network, bounds.newPerSecondAndAddress), newInAll];
    return [rate("new connections of a known address", network, bounds.newPerSecondAndAddress * KNOWN_FACTOR)];
  }

  /** Ends a connection for another one. @returns false when there is none */
  function makeRoom(victim: Connection | undefined): boolean {
    if (victim === undefined) return false;
    forget(victim);
    victim.cut();
    return true;
  }

  function forget(connection: Connection): void {
    all.delete(connection);
    keyless.delete(connection);
    connection.moveTo();
  }

  /** A place among all connections, and one among those without a key. */
  function placeFor({ network, isProxy }: Connection): (() => void) | undefined {
    const total = { what: "connections", who: "", most: bounds.most };
    const own = { what: "keyless connections", who: network, most: bounds.perAddress };
    const strangers = { what: "keyless connections", who: "", most: bounds.keyless };
    const needed = isProxy ? [total] : [own, strangers, total];
    let held = ledger.hold(needed);
    while (typeof held !== "function") {
      const victim = held.full === own ? keyless.leastUsefulOf(network) : keyless.leastUsefulOfMost();
      if (!makeRoom(victim)) return undefined;
      held = ledger.hold(needed);
    }
    return held;
  }

  return {
    admit(socket) {
      const peer = socket.remoteAddress ?? "";
      const isProxy = addresses.isProxy(peer);
      const network = networkOf(peer);
      if (!isProxy && !known.has(network) && bytesRead.isSpent(network)) return undefined;
      const charged = isProxy ? [] : ratesFor(network);
      if (!charged.every((rate) => ledger.spend(rate).allowed)) return undefined;
      count += 1;
      const connection = new Connection(String(count), { network, isProxy }, socket);
      const place = placeFor(connection);
      if (place === undefined) return undefined;
      connection.moveTo(place);
      chargedFor.set(connection, charged);
      all.add(connection);
      if (!isProxy) keyless.add(connection);
      socket.once("close", () => forget(connection));
      return connection;
    },
    welcome(connection, keyId, network) {
      known.note(network);
      if (connection.keyId === keyId || connection.isProxy || !all.has(connection)) return;
      const ofKey = { what: "connections of a key", who: keyId, most: bounds.perKey };
      // Where the key has as many as it may, the connection stays one that gives way to others.
      if (ledger.held(ofKey.what, keyId) >= ofKey.most) return;
      for (const rate of chargedFor.get(connection) ?? []) ledger.refund(rate);
      chargedFor.delete(connection);
      connection.moveTo();
      const held = ledger.hold([{ what: "connections", who: "", most: bounds.most }, ofKey]);
      if (typeof held === "function") connection.moveTo(held);
      keyless.delete(connection);
      connection.keyId = keyId;
    },
    reset(connection, network) {
      if (!resets.count(connection, network)) connection.cut();
    },
    refuse(connection, network, response) {
      if (connection.isProxy || connection.endWith(response) || connection.keyId !== undefined) return;
      resets.chargeFlood(network);
      connection.cut();
    },
    maySpeakHttp2: ({ network, isProxy }) => isProxy || known.has(network) || !resets.isSpent(network),
    isResetting: resets.isSpent,
    cutUseless(idleMs) {
      const now = performance.now();
      for (const connection of all) {
        if (connection.onlyStreams && connection.idleMs(now) >= idleMs) connection.cut();
      }
    },
    cutFloods() {
      for (const connection of bytesRead.look(all)) connection.cut();
    },
  };
}
