import http2 from "node:http2";

/** A gRPC message without fields. */
const EMPTY = Buffer.alloc(5);

/** An HTTP/2 stream that stays open, and what has come on it. */
export interface OpenStream {
  readonly stream: http2.ClientHttp2Stream;
  /** gRPC's status with its message, once there is one. */
  readonly seen: { status?: string; message?: string; bytes: number; isOver: boolean };
}

/** Opens a gRPC stream and sends `message` on it; the request stays open with `more`. */
export function openGrpcStream(
  session: http2.ClientHttp2Session,
  path: string,
  options: { readonly key?: string; readonly message?: Uint8Array; readonly more?: boolean } = {},
): OpenStream {
  const { key, message = new Uint8Array(), more = false } = options;
  const seen: OpenStream["seen"] = { bytes: 0, isOver: false };
  const stream = session.request({
    ...{ ":method": "POST", ":path": path, "content-type": "application/grpc", te: "trailers" },
    ...(key !== undefined && { "api-key": key }),
  });
  const note = (headers: http2.IncomingHttpHeaders) => {
    const { "grpc-status": status, "grpc-message": text } = headers;
    if (status !== undefined) Object.assign(seen, { status, message: decodeURIComponent(String(text ?? "")) });
  };
  stream
    .on("error", () => {})
    .on("response", note)
    .on("trailers", note)
    .on("data", (chunk: Buffer) => {
      seen.bytes += chunk.length;
    })
    .on("close", () => {
      seen.isOver = true;
    });
  const envelope = Buffer.from(EMPTY);
  envelope.writeUInt32BE(message.length, 1);
  stream.write(Buffer.concat([envelope, message]));
  if (!more) stream.end();
  return { stream, seen };
}

/** A client's session from an address of the loopback network; its errors are the peer's. */
export function openSession(port: number, localAddress = "127.0.0.1"): http2.ClientHttp2Session {
  return http2
    .connect(`http://127.0.0.1:${port}`, { localAddress } as http2.ClientSessionOptions)
    .on("error", () => {});
}
