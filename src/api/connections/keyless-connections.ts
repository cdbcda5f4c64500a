import type { Connection } from "./connection.ts";

/** Connections without a key, by the network that they came from. */
export class KeylessConnections {
  /** Those of each network, oldest first. */
  readonly #byNetwork = new Map<string, Set<Connection>>();

  add(connection: Connection): void {
    const { network } = connection;
    this.#byNetwork.set(network, (this.#byNetwork.get(network) ?? new Set()).add(connection));
  }

  delete(connection: Connection): void {
    const group = this.#byNetwork.get(connection.network);
    if (group?.delete(connection) && group.size === 0) this.#byNetwork.delete(connection.network);
  }

  /** The least useful connection of a network: the oldest idle one, or the oldest. */
  leastUsefulOf(network: string): Connection | undefined {
    return leastUseful(this.#byNetwork.get(network));
  }

  /** The least useful connection of the network that has most: who has many gives way to who has few. */
  leastUsefulOfMost(): Connection | undefined {
    let most: Set<Connection> | undefined;
    for (const group of this.#byNetwork.values()) if (most === undefined || group.size > most.size) most = group;
    return leastUseful(most);
  }
}

function leastUseful(group: Set<Connection> | undefined): Connection | undefined {
  return group?.values().find((connection) => connection.isIdle) ?? group?.values().next().value;
}
