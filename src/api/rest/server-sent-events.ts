/** The content type of server-sent events. */
export const EVENT_STREAM = "text/event-stream";

/** One message as a server-sent event. `json` holds no line breaks. */
export function eventOf(json: string): string {
  return `data: ${json}\n\n`;
}

/** Why a stream ends, as the last event of it: of the type "error", since a stream has no status at its end. */
export function errorEventOf(json: string): string {
  return `event: error\ndata: ${json}\n\n`;
}
