import { connect, createServer, type Socket } from "node:net";

/** A network between a program and its database, that a test breaks. */
export interface TcpProxy {
  /** The URL that leads through it. */
  readonly url: string;
  /** Cuts all connections and refuses new ones. */
  cut(): void;
  /** Lets nothing pass any more and says nothing, as when a cable is out; connections stay. */
  stall(): void;
  /** Holds everything back for so long, each way, milliseconds. */
  slow(ms: number): void;
  /** Cuts all connections after the next bytes from the program that match, before their answer gets back. */
  cutAnswerTo(pattern: RegExp): void;
  /** Works again. */
  mend(): void;
  close(): Promise<void>;
}

export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const state = { isCut: false, isStalled: false, delayMs: 0, swallow: undefined as RegExp | undefined };
  const drop = () => {
    for (const socket of sockets) socket.destroy();
  };
  const pass = (from: Socket, to: Socket, isQuestion: boolean) => {
    let isSwallowed = false;
    from.on("data", (chunk) => {
      if (isQuestion && state.swallow?.test(chunk.toString("latin1"))) {
        // The answer shows that the question has arrived and was done.
        state.swallow = undefined;
        isSwallowed = true;
        to.removeAllListeners("data").once("data", drop);
      }
      if (state.isStalled) return;
      if (state.delayMs === 0) to.write(chunk);
      else setTimeout(() => void to.write(chunk), state.delayMs);
    });
    from.on("close", () => {
      sockets.delete(from);
      if (!isSwallowed) to.destroy();
    });
    from.on("error", () => {});
  };
  const server = createServer((program) => {
    if (state.isCut) return program.destroy();
    const database = connect(Number(port), hostname);
    for (const socket of [program, database]) sockets.add(socket.setNoDelay());
    pass(program, database, true);
    pass(database, program, false);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = new URL(target);
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as { readonly port: number }).port);
  return {
    url: url.href,
    cut() {
      state.isCut = true;
      drop();
    },
    stall() {
      state.isStalled = true;
    },
    slow(ms) {
      state.delayMs = ms;
    },
    cutAnswerTo(pattern) {
      state.swallow = pattern;
    },
    mend() {
      // What was lost on the way shows as a broken connection.
      if (state.isStalled) drop();
      Object.assign(state, { isCut: false, isStalled: false, delayMs: 0, swallow: undefined });
    },
    async close() {
      drop();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
