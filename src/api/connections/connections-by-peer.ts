import type http1 from "node:http";
import type { Socket } from "node:net";
import type { Connection } from "./connection.ts";
import type { Connections } from "./connections.ts";

/**
 * Finds the place that a connection was given, by its peer: with TLS the socket that is answered on is not the one that was
 * accepted. `guard` lets a server see only connections that have a place.
 */
export function connectionsByPeer(connections: Connections) {
  const places = new Map<string, Connection>();
  const peerOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`;
  const placeOf = (socket: Socket) => places.get(peerOf(socket));
  placeOf.guard = (server: http1.Server) => {
    const listeners = server.listeners("connection");
    server.removeAllListeners("connection");
    server.on("connection", (socket: Socket) => {
      ignoreSocketErrors(socket);
      const connection = connections.admit(socket);
      if (connection === undefined) return void socket.destroy();
      const peer = peerOf(socket);
      places.set(peer, connection);
      socket.once("close", () => {
        if (places.get(peer) === connection) places.delete(peer);
      });
      for (const listener of listeners) listener.call(server, socket);
    });
  };
  return placeOf;
}

/**
 * Keeps what a peer does to its connection from ending the process. Node's servers listen to errors themselves, but not while
 * a socket changes hands, and no longer after CONNECT.
 */
export function ignoreSocketErrors(socket: Socket): void {
  socket.on("error", () => {});
}
