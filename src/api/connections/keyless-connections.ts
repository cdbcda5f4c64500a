import type { Connection } from "./connection.ts";

/** Connections without a key, by network. Who has many gives way to who has few. */
export class KeylessConnections {
  /** By network, oldest first. */
  readonly #groups = new Map<string, Set<Connection>>();

  add(connection: Connection): void {
    const { network } = connection;
    this.#groups.set(network, (this.#groups.get(network) ?? new Set()).add(connection));
  }

  delete(connection: Connection): void {
    const group = this.#groups.get(connection.network);
    if (group?.delete(connection) && group.size === 0) this.#groups.delete(connection.network);
  }

  /** The least useful connection of a network; without one, of that which has most. */
  leastUseful(network?: string): Connection | undefined {
    const group = network === undefined ? this.#crowd() : this.#groups.get(network);
    return group?.values().find((connection) => connection.isIdle) ?? group?.values().next().value;
  }

  #crowd(): Set<Connection> | undefined {
    let most: Set<Connection> | undefined;
    for (const group of this.#groups.values()) if (most === undefined || group.size > most.size) most = group;
    return most;
  }
}
