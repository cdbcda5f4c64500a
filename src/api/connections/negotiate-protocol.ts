import type { Server, Socket } from "node:net";
import type { TLSSocket } from "node:tls";

/** A connection as both its raw and its encrypted socket know it. */
const peerOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`;

/**
 * Tells HTTP/2 from HTTP/1.1 by what client and server have agreed on in the TLS handshake (ALPN). The handshake has a
 * time limit of its own, which the server sets.
 */
export function negotiateProtocol(
  server: Server,
  _timeoutMs: number,
  decided: (socket: Socket, protocol: "http1" | "http2") => void,
): { stop(): void } {
  const shaking = new Map<string, Socket>();
  server.on("connection", (socket: Socket) => {
    const peer = peerOf(socket);
    shaking.set(peer, socket);
    socket.setNoDelay(true);
    socket.once("close", () => shaking.delete(peer));
  });
  server.on("secureConnection", (socket: TLSSocket) => {
    shaking.delete(peerOf(socket));
    decided(socket, socket.alpnProtocol === "h2" ? "http2" : "http1");
  });
  // Node would pass these on as errors of HTTP, to be answered in cleartext.
  server.removeAllListeners("tlsClientError");
  server.on("tlsClientError", (_: Error, socket: TLSSocket) => socket.destroy());
  return {
    stop() {
      for (const socket of shaking.values()) socket.destroy();
    },
  };
}
