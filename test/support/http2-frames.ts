/** HTTP/2 on the wire (RFC 9113), for what Node's own client tells nobody. */

/** Types of frames, by their numbers. */
const TYPES = ["DATA", "HEADERS", "PRIORITY", "RST_STREAM", "SETTINGS", "PUSH", "PING", "GOAWAY", "WINDOW", "MORE"];

const HEAD_BYTES = 9;
const END_STREAM = 1;
const END_HEADERS = 4;

/** Bytes of headers in one frame, below the least limit that a peer may have. */
const MOST_HEADER_BYTES = 16_000;

function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32BE((payload.length << 8) | type);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** What a client begins with; `window`: bytes that may come on each stream until it grants more. */
export function preface(window = 65_535): Buffer {
  const settings = Buffer.alloc(6);
  settings.writeUInt16BE(4);
  settings.writeUInt32BE(window, 2);
  return Buffer.concat([Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), frame(4, 0, 0, settings)]);
}

/** The headers of a request as HEADERS and, if they are long, CONTINUATION; `ends`: no body follows. */
export function requestFrames(stream: number, headers: Readonly<Record<string, string>>, ends: boolean): Buffer {
  const fields = { ":method": "GET", ":scheme": "http", ":authority": "x", ...headers };
  const block = Buffer.concat(Object.entries(fields).flatMap(([name, value]) => [ZERO, literal(name), literal(value)]));
  const [first, more] = [block.subarray(0, MOST_HEADER_BYTES), block.subarray(MOST_HEADER_BYTES)];
  const end = ends ? END_STREAM : 0;
  if (more.length === 0) return frame(1, end | END_HEADERS, stream, first);
  return Buffer.concat([frame(1, end, stream, first), frame(9, END_HEADERS, stream, more)]);
}

/** The whole body of a request. */
export function bodyFrame(stream: number, body: string): Buffer {
  return frame(0, END_STREAM, stream, Buffer.from(body));
}

/** RST_STREAM with the code CANCEL. */
export function cancelFrame(stream: number): Buffer {
  return frame(3, 0, stream, Buffer.from([0, 0, 0, 8]));
}

/** WINDOW_UPDATE. */
export function grantFrame(stream: number, bytes: number): Buffer {
  const payload = Buffer.alloc(4);
  payload.writeUInt32BE(bytes);
  return frame(8, 0, stream, payload);
}

/** The frames of one stream, as "HEADERS", "DATA" or "DATA END_STREAM". What is not whole yet is left out. */
export function framesOf(stream: number, received: Buffer): readonly string[] {
  const names: string[] = [];
  for (let at = 0; at + HEAD_BYTES <= received.length; ) {
    const [type, flags] = [received.readUInt8(at + 3), received.readUInt8(at + 4)];
    const ends = type <= 1 && (flags & END_STREAM) !== 0;
    if (received.readUInt32BE(at + 5) === stream) names.push(ends ? `${TYPES[type]} END_STREAM` : `${TYPES[type]}`);
    at += HEAD_BYTES + received.readUIntBE(at, 3);
  }
  return names;
}

/** A literal of HPACK that enters no table (RFC 7541, section 6.2.2), with a new name. */
const ZERO = Buffer.from([0]);

/** A string of HPACK without Huffman's code (RFC 7541, section 5.2). */
function literal(text: string): Buffer {
  const length = text.length < 127 ? [text.length] : [127];
  for (let rest = text.length - 127; rest >= 0; rest = rest >= 128 ? rest >> 7 : -1) {
    length.push(rest >= 128 ? (rest & 127) | 128 : rest);
  }
  return Buffer.concat([Buffer.from(length), Buffer.from(text)]);
}
