import { type ClientHttp2Session, connect } from "node:http2";
import type { Interface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { quantile } from "../quantile.ts";
import { cpuSeconds } from "./cpu.ts";
import type { Target } from "./load.ts";

const WATCHES = 2_000;
/** As many as a connection may have. */
const PER_CONNECTION = 100;
/** Each has its share of streams. */
const KEYS = 4;
const BLOCKS = 20;
/** Blocks before any is measured. */
const WARM = 5;
export const BLOCK_EVERY_MS = 1_000;

const now = () => performance.timeOrigin + performance.now();

/** Prints how long after a block's snapshot streams of its price are told, the last of all of them too. */
export async function showStreams(
  target: Target,
  { lines, pid }: { readonly lines: Interface; readonly pid: number },
): Promise<void> {
  const published: number[] = [];
  lines.on("line", (line) => {
    const at = /^block (\S+)$/.exec(line)?.[1];
    if (at !== undefined) published.push(Number(at));
  });
  let late: number[] = [];
  const sessions = Array.from({ length: WATCHES / PER_CONNECTION }, () => connect(`http://127.0.0.1:${target.port}`));
  const onTold = () => {
    const last = published.at(-1);
    if (last !== undefined) late.push(now() - last);
  };
  const opened = Array.from({ length: WATCHES }, (_, index) =>
    openStream(sessions[index % sessions.length]!, { ...target, key: `${target.key}-${index % KEYS}` }, onTold),
  );
  await Promise.all(opened);
  const from = published.length + WARM;
  while (published.length < from) await wait(10);
  late = [];
  const before = cpuSeconds(pid);
  while (published.length < from + BLOCKS) await wait(10);
  const cpu = (((cpuSeconds(pid) - before) / BLOCKS) * 1_000).toFixed(0);
  const whole = late.slice(0, late.length - (late.length % WATCHES));
  const worst = Array.from({ length: whole.length / WATCHES }, (_, block) =>
    Math.max(...whole.slice(block * WATCHES, (block + 1) * WATCHES)),
  );
  const [p50, p99] = [quantile(whole, 0.5).toFixed(0), quantile(whole, 0.99).toFixed(0)];
  console.log(
    `\n${WATCHES} watches of one price, no search behind it: told ${p50} ms (median) and ${p99} ms (99 %) after the ` +
      `snapshot, the last of a block ${quantile(worst, 0.5).toFixed(0)} ms (median of ${worst.length} blocks; goal 50); CPU ${cpu} ms a block`,
  );
  for (const session of sessions) session.destroy();
}

/** Resolves once the stream's first price is there. */
function openStream(session: ClientHttp2Session, { key, request }: Target, onTold: () => void): Promise<void> {
  const path = `/swap/v1/price/stream?${new URLSearchParams(request)}`;
  return new Promise((resolve, reject) => {
    const stream = session.request({ ":path": path, "api-key": key });
    stream.once("response", ({ ":status": status }) => {
      if (status !== 200) reject(new Error(`${path}: HTTP ${status}`));
    });
    stream.on("data", () => {
      onTold();
      resolve();
    });
    stream.on("error", () => {});
    stream.end();
  });
}
