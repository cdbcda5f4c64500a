import type { Http2Server, ServerHttp2Session } from "node:http2";

/**
 * Looks after HTTP/2 sessions. Node can keep a session that is closed, with its socket; and a peer that vanished is
 * noticed only by writing to it. So open sessions are pinged, what does not answer or does not finish closing is cut, and
 * one that has had no stream for `idleMs` is closed: its client opens another when it has something to ask. Times in
 * milliseconds.
 */
export function sweepSessions(
  server: Http2Server,
  times: {
    readonly everyMs: number;
    readonly idleMs: number;
    readonly pingTimeoutMs: number;
    readonly closeGraceMs: number;
  },
  cut: (session: ServerHttp2Session) => void,
): { open(): readonly ServerHttp2Session[]; stop(): void } {
  const sessions = new Set<ServerHttp2Session>();
  const closingSince = new WeakMap<ServerHttp2Session, number>();
  const uses = new WeakMap<ServerHttp2Session, { streams: number; last: number }>();
  server.on("session", (session) => {
    sessions.add(session);
    session.once("close", () => sessions.delete(session));
    const use = { streams: 0, last: Date.now() };
    uses.set(session, use);
    session.on("stream", (stream) => {
      use.streams += 1;
      stream.once("close", () => {
        use.streams -= 1;
        use.last = Date.now();
      });
    });
  });
  const isIdle = (session: ServerHttp2Session, now: number) => {
    const use = uses.get(session);
    return use?.streams === 0 && now - use.last >= times.idleMs;
  };
  const look = (session: ServerHttp2Session, now: number) => {
    if (session.destroyed) {
      sessions.delete(session);
      cut(session);
    } else if (!session.closed && isIdle(session, now)) session.close();
    else if (!session.closed) ping(session, times.pingTimeoutMs, cut);
    else if (!closingSince.has(session)) closingSince.set(session, now);
    else if (now - closingSince.get(session)! >= times.closeGraceMs) cut(session);
  };
  const timer = setInterval(() => {
    const now = Date.now();
    for (const session of sessions) look(session, now);
  }, times.everyMs);
  timer.unref();
  return { open: () => [...sessions], stop: () => clearInterval(timer) };
}

function ping(session: ServerHttp2Session, timeoutMs: number, cut: (session: ServerHttp2Session) => void): void {
  const giveUp = setTimeout(() => cut(session), timeoutMs);
  giveUp.unref();
  try {
    session.ping((error) => {
      clearTimeout(giveUp);
      if (error !== null && !session.destroyed) cut(session);
    });
  } catch {
    clearTimeout(giveUp);
    cut(session);
  }
}
