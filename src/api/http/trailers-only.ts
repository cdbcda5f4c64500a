import type { OutgoingHttpHeaders } from "node:http";
import type { Http2ServerResponse } from "node:http2";

/**
 * Makes a gRPC answer without a message go out as one HEADERS frame that ends the stream (Trailers-Only): client retry
 * policies look only at those. connect-node sends headers and trailers apart. Messages of the status are escaped as
 * the gRPC protocol has it, so that clients which undo no more than that show them right.
 */
export function sendErrorsAsTrailersOnly(response: Http2ServerResponse): void {
  const { writeHead, write, addTrailers, end } = response;
  let head: readonly [number, OutgoingHttpHeaders] | undefined;
  let trailers: OutgoingHttpHeaders | undefined;
  const restore = () => Object.assign(response, { writeHead, write, addTrailers: addReadableTrailers, end });
  const addReadableTrailers = (values: OutgoingHttpHeaders) => addTrailers.call(response, withReadableMessage(values));
  Object.assign(response, {
    writeHead(status: number, headers: OutgoingHttpHeaders) {
      head = [status, headers];
      return response;
    },
    write(...chunk: Parameters<Http2ServerResponse["write"]>) {
      restore();
      if (head !== undefined) response.writeHead(...head);
      return response.write(...chunk);
    },
    addTrailers(values: OutgoingHttpHeaders) {
      trailers = withReadableMessage(values);
    },
    end(...last: []) {
      restore();
      if (head !== undefined) {
        // Not writeHead: it would send the headers at once, without the flag that ends the stream.
        response.statusCode = head[0];
        for (const [name, value] of Object.entries({ ...head[1], ...trailers })) {
          if (value !== undefined) response.setHeader(name, value);
        }
      }
      return response.end(...last);
    },
  });
}

function withReadableMessage(trailers: OutgoingHttpHeaders): OutgoingHttpHeaders {
  const message = trailers["grpc-message"];
  return typeof message === "string"
    ? { ...trailers, "grpc-message": grpcEscape(decodeURIComponent(message)) }
    : trailers;
}

/** Percent-encodes the bytes that are not printable ASCII, and the percent sign, and nothing else. */
export function grpcEscape(message: string): string {
  return message.replace(/[^\x20-\x24\x26-\x7e]+/g, (part) =>
    Array.from(new TextEncoder().encode(part), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join(
      "",
    ),
  );
}
