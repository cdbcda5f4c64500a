/** The events of a stream, as the HTML standard has them, without ids. A body that ends has said all. */
export async function* readEvents(body: ReadableStream<Uint8Array> | null) {
  if (body === null) return;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const events = text.split(/\r?\n\r?\n/);
      text = events.pop() ?? "";
      for (const event of events) {
        const data = fieldOf(event, "data");
        if (data !== "") yield { type: fieldOf(event, "event"), data };
      }
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
