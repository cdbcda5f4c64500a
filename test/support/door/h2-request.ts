import http2 from "node:http2";

/** Everything that comes back on one HTTP/2 stream. */
export function h2Request(port: number, headers: http2.OutgoingHttpHeaders, body?: Buffer) {
  const session = http2.connect(`http://127.0.0.1:${port}`);
  session.on("error", () => {});
  const stream = session.request(headers);
  const seen = {
    headers: {} as http2.IncomingHttpHeaders & http2.IncomingHttpStatusHeader,
    endedByHeaders: false,
    trailers: false,
    trailerStatus: undefined as string | undefined,
    body: "",
  };
  return new Promise<typeof seen & { rstCode: number }>((resolve) => {
    stream.on("response", (received, flags) => {
      seen.headers = received;
      seen.endedByHeaders = (flags & http2.constants.NGHTTP2_FLAG_END_STREAM) !== 0;
    });
    stream.on("trailers", (received) => {
      seen.trailers = true;
      seen.trailerStatus = received["grpc-status"] as string | undefined;
    });
    stream.on("data", (chunk: Buffer) => {
      seen.body += chunk.toString("latin1");
    });
    stream.on("error", () => {});
    stream.on("close", () => {
      session.close();
      resolve({ ...seen, rstCode: stream.rstCode });
    });
    stream.end(body);
  });
}
