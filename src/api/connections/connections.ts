import type { Socket } from "node:net";
import type { Response } from "../http/messages.ts";
import type { ServerBounds } from "../limits/bounds.ts";
import type { CallerAddress } from "../limits/caller-address.ts";
import { networkOf } from "../limits/caller-address.ts";
import type { Ledger, Rate } from "../limits/ledger.ts";
import { type BytesRead, createBytesRead } from "./bytes-read.ts";
import { Connection } from "./connection.ts";
import { ConnectionRates } from "./connection-rates.ts";
import { KeylessConnections } from "./keyless-connections.ts";
import { createResets, type Resets } from "./resets.ts";

type Bounds = Pick<ServerBounds, "connections" | "bytes" | "resetsPerSecond">;

/** All connections, each with a place that its address, its key and all together have room for. */
export class Connections {
  readonly #ledger: Ledger;
  readonly #bounds: ServerBounds["connections"];
  readonly #addresses: CallerAddress;
  readonly #rates: ConnectionRates;
  readonly #resets: Resets;
  readonly #bytesRead: BytesRead;
  readonly #all = new Set<Connection>();
  readonly #keyless = new KeylessConnections();
  /** Rates that each opening was charged to, until a valid key comes. */
  readonly #chargedFor = new WeakMap<Connection, readonly Rate[]>();
  #count = 0;

  constructor(ledger: Ledger, { connections, bytes, resetsPerSecond }: Bounds, addresses: CallerAddress) {
    this.#ledger = ledger;
    this.#bounds = connections;
    this.#addresses = addresses;
    this.#rates = new ConnectionRates(ledger, connections);
    this.#resets = createResets(ledger, resetsPerSecond);
    this.#bytesRead = createBytesRead(ledger, bytes);
  }

  /** The connection of a new socket, or undefined where there is no place for it. */
  admit(socket: Socket): Connection | undefined {
    const peer = socket.remoteAddress ?? "";
    const isProxy = this.#addresses.isProxy(peer);
    const network = networkOf(peer);
    if (!isProxy && !this.#rates.isKnown(network) && this.#bytesRead.isSpent(network)) return undefined;
    const charged = isProxy ? [] : this.#rates.charge(network);
    if (charged === undefined) return undefined;
    this.#count += 1;
    const connection = new Connection(String(this.#count), { network, isProxy }, socket);
    const place = this.#placeFor(connection);
    if (place === undefined) return undefined;
    connection.moveTo(place);
    this.#chargedFor.set(connection, charged);
    this.#all.add(connection);
    if (!isProxy) this.#keyless.add(connection);
    socket.once("close", () => this.#forget(connection));
    return connection;
  }

  /** Notes that a valid key came over a connection, from a network. */
  welcome(connection: Connection, keyId: string, network: string): void {
    this.#rates.welcome(network);
    if (connection.keyId === keyId || connection.isProxy || !this.#all.has(connection)) return;
    const ofKey = { what: "connections of a key", who: keyId, most: this.#bounds.perKey };
    // If the key has as many as it may, the connection stays one that gives way to others.
    if (this.#ledger.held(ofKey.what, keyId) >= ofKey.most) return;
    this.#rates.refund(this.#chargedFor.get(connection) ?? []);
    this.#chargedFor.delete(connection);
    connection.moveTo();
    const held = this.#ledger.hold([{ what: "connections", who: "", most: this.#bounds.most }, ofKey]);
    if (typeof held === "function") connection.moveTo(held);
    this.#keyless.delete(connection);
    connection.keyId = keyId;
  }

  /** Notes that a caller has reset a stream. Too many cut the connection. */
  reset(connection: Connection, network: string): void {
    if (!this.#resets.count(connection, network)) connection.cut();
  }

  /** Ends a connection with the answer to a request beyond what its network may send, or at once when more of these come. */
  refuse(connection: Connection, network: string, response: Response): void {
    if (connection.isProxy || connection.endWith(response) || connection.keyId !== undefined) return;
    this.#resets.chargeFlood(network);
    connection.cut();
  }

  /** Whether a network has flooded HTTP/2 connections, or has reset more streams than it may. */
  isResetting(network: string): boolean {
    return this.#resets.isSpent(network);
  }

  /** Whether a connection may speak HTTP/2: none may of a network that is resetting, unless a key is known there. */
  maySpeakHttp2({ network, isProxy }: Connection): boolean {
    return isProxy || this.#rates.isKnown(network) || !this.isResetting(network);
  }

  /** Cuts those that have held nothing but streams without a key for so long. */
  cutUseless(idleMs: number): void {
    const now = performance.now();
    for (const connection of this.#all) {
      if (connection.onlyStreams && connection.idleMs(now) >= idleMs) connection.cut();
    }
  }

  /** Cuts those of addresses and keys that have sent too many bytes since the last look. */
  cutFloods(): void {
    for (const connection of this.#bytesRead.look(this.#all)) connection.cut();
  }

  /** A place among all connections, and one among those without a key. */
  #placeFor({ network, isProxy }: Connection): (() => void) | undefined {
    const bounds = this.#bounds;
    const total = { what: "connections", who: "", most: bounds.most };
    const own = { what: "keyless connections", who: network, most: bounds.perAddress };
    const keyless = { what: "keyless connections", who: "", most: bounds.keyless };
    const needed = isProxy ? [total] : [own, keyless, total];
    let held = this.#ledger.hold(needed);
    while (typeof held !== "function") {
      const victim = this.#keyless.leastUseful(held.full === own ? network : undefined);
      if (victim === undefined) return undefined;
      this.#forget(victim);
      victim.cut();
      held = this.#ledger.hold(needed);
    }
    return held;
  }

  #forget(connection: Connection): void {
    this.#all.delete(connection);
    this.#keyless.delete(connection);
    connection.moveTo();
  }
}
