import type { Http2Server, ServerHttp2Session } from "node:http2";

/**
 * Looks after HTTP/2 sessions. Node can keep a session that is closed, with its socket; and a peer that vanished is
 * noticed only by writing to it. So open sessions are pinged, what does not answer or does not finish closing is cut, and
 * one that is idle is closed: its client opens another when it has something to ask. Times in milliseconds.
 */
export function sweepSessions(
  server: Http2Server,
  times: {
    readonly everyMs: number;
    readonly pingTimeoutMs: number;
    readonly closeGraceMs: number;
  },
  cut: (session: ServerHttp2Session) => void,
  isIdle: (session: ServerHttp2Session) => boolean,
): { open(): readonly ServerHttp2Session[]; stop(): void } {
  const sessions = new Set<ServerHttp2Session>();
  const closingSince = new WeakMap<ServerHttp2Session, number>();
  server.on("session", (session) => {
    sessions.add(session);
    session.once("close", () => sessions.delete(session));
  });
  const look = (session: ServerHttp2Session, now: number) => {
    if (session.destroyed) {
      sessions.delete(session);
      cut(session);
    } else if (!session.closed && isIdle(session)) session.close();
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
