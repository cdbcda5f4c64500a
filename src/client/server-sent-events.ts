/** Characters of one event at most: a price has some thousands. */
const MAX_CHARACTERS = 1 << 20;

/**
 * The events of a stream, as the HTML standard has them, without ids. A body that ends has said all.
 * @throws Error for an event above MAX_CHARACTERS
 */
export async function* readEvents(body: ReadableStream<Uint8Array> | null) {
  if (body === null) return;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const end = /\r?\n\r?\n/g;
  let text = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      // The text so far holds no end, but perhaps the beginning of one.
      end.lastIndex = Math.max(0, text.length - 3);
      text += decoder.decode(value, { stream: true });
      for (let found = end.exec(text); found !== null; found = end.exec(text)) {
        const event = text.slice(0, found.index);
        text = text.slice(end.lastIndex);
        end.lastIndex = 0;
        const data = fieldOf(event, "data");
        if (data !== "") yield { type: fieldOf(event, "event"), data };
      }
      if (text.length > MAX_CHARACTERS) throw new Error("an event of the stream is too long");
    }
  } finally {
    // A loop that was left gives the connection back.
    await reader.cancel().catch(() => {});
  }
}

/** A field of an event; its lines are one text. */
function fieldOf(event: string, name: string): string {
  const lines = event.split(/\r?\n/).filter((line) => line.startsWith(`${name}:`));
  return lines.map((line) => line.slice(name.length + 1).replace(/^ /, "")).join("\n");
}
