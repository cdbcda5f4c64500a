/** A recorded session of a terminal, as far as it is drawn: asciicast v2, without escape sequences. */
export interface Session {
  readonly columns: number;
  /** Pieces of output, with the second of each. */
  readonly events: readonly (readonly [at: number, text: string])[];
}

const [CHARACTER, LINE, MARGIN] = [7.83, 18, 14];
/** Longest pause that is shown, in seconds. */
const LONGEST_PAUSE = 1.5;

/** @throws Error for another format, and for escape sequences, which would not be drawn */
export function readSession(cast: string): Session {
  const [head = "{}", ...lines] = cast.trim().split("\n");
  const { version, width } = JSON.parse(head) as { readonly version: number; readonly width: number };
  if (version !== 2) throw new Error(`asciicast ${version} cannot be read`);
  const events = lines.map((line) => {
    const [at, , text] = JSON.parse(line) as [number, string, string];
    if (text.includes("\u001b")) throw new Error("the session has escape sequences");
    return [at, text] as const;
  });
  return { columns: width, events };
}

/** The session as a picture: lines come as they came, with shorter pauses; all stand at once for who wants no motion. */
export function drawSession({ columns, events }: Session): string {
  const lines: { at: number; text: string }[] = [];
  let [shown, last] = [0, 0];
  for (const [at, text] of events) {
    shown += Math.min(at - last, LONGEST_PAUSE);
    last = at;
    for (const line of text.replace(/\r?\n$/, "").split(/\r?\n/)) {
      for (let from = 0; from === 0 || from < line.length; from += columns)
        lines.push({ at: shown, text: line.slice(from, from + columns) });
    }
  }
  const [width, height] = [Math.ceil(columns * CHARACTER) + 2 * MARGIN, lines.length * LINE + 2 * MARGIN];
  const drawn = lines.map(({ at, text }, index) => {
    const kind = text.startsWith("$ ") ? ' class="typed"' : "";
    const y = MARGIN + LINE * (index + 1) - 5;
    return `<text x="${MARGIN}" y="${y}"${kind} style="animation-delay:${at.toFixed(2)}s">${escaped(text)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" role="img">
<title>A session: the service starts with a devnet, and prices a swap</title>
<style>
text { font: 13px ui-monospace, Menlo, Consolas, monospace; white-space: pre; fill: #d4d4d4; }
.typed { fill: #7dd3fc; }
@media (prefers-reduced-motion: no-preference) { text { animation: come 0.01s both; } }
@keyframes come { from { visibility: hidden; } }
</style>
<rect width="100%" height="100%" rx="8" fill="#18181b"/>
${drawn.join("\n")}
</svg>
`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
