import { type ChildProcess, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { createInterface } from "node:readline";
import { createJsonRpc } from "./json-rpc.ts";

/** A running anvil. */
export interface Anvil {
  readonly port: number;
  readonly rpcUrl: string;
  readonly wsUrl: string;
  readonly pid: number;
  /** Settles when the process has ended, for whatever reason. */
  readonly exited: Promise<void>;
  /** Ends this process and no other; settles when it is gone. May be called again. */
  stop(): Promise<void>;
}

export interface AnvilOptions {
  /** TCP port on 127.0.0.1; 0 = any free one. */
  readonly port: number;
  /** Further arguments of anvil, for example `["--accounts", "3"]`. */
  readonly args?: readonly string[];
  /** By anvil's name for it; osaka by default. */
  readonly hardfork?: string;
}

export const DEVNET_CHAIN_ID = 31337;

/** So many newest blocks can be asked for state; blocks and logs are all kept. */
const BLOCKS_WITH_STATE = 160;
const HOST = "127.0.0.1";
const START_TIMEOUT_MS = 20_000;

/**
 * Starts anvil with chain id 31337 and waits until it answers. It mines nothing by itself.
 *
 * The process is in a session of its own, so that Ctrl-C in a terminal reaches only us and the node is there until we
 * have drained; a watchdog ends it when we die without calling `stop`.
 * @throws Error with a sentence for the operator when the port is taken or anvil is not installed.
 */
export async function startAnvil({ port, args = [], hardfork = "osaka" }: AnvilOptions): Promise<Anvil> {
  if (port !== 0) await assertPortFree(port);
  const anvil = spawn(
    anvilBinary(),
    [
      ...["--host", HOST, "--port", String(port), "--chain-id", String(DEVNET_CHAIN_ID)],
      ...["--hardfork", hardfork, "--no-mining", "--order", "fifo", "--color", "never"],
      // State of older blocks is forgotten: otherwise anvil writes some megabytes to the disk for every block.
      ...["--prune-history", String(BLOCKS_WITH_STATE), ...args],
    ],
    { stdio: ["ignore", "pipe", "pipe"], detached: true },
  );
  const exited = new Promise<void>((resolve) => {
    anvil.once("exit", () => resolve());
    anvil.once("error", () => resolve());
  });
  const watchdog = anvil.pid === undefined ? undefined : startWatchdog(anvil.pid);
  void exited.then(() => watchdog?.kill("SIGKILL"));
  const stop = async () => {
    if (anvil.exitCode === null && anvil.signalCode === null) anvil.kill("SIGKILL");
    await exited;
  };
  try {
    const listening = await portOf(anvil, port);
    const rpcUrl = `http://${HOST}:${listening}`;
    // It prints lines for each request: nobody needs them, and to read them costs a third of what a request does.
    await createJsonRpc(rpcUrl).call("anvil_setLoggingEnabled", [false]);
    return {
      port: listening,
      rpcUrl,
      wsUrl: `ws://${HOST}:${listening}`,
      pid: anvil.pid!,
      exited,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The anvil that npm installed for this platform, else the one on the PATH. */
function anvilBinary(): string {
  const name = `@foundry-rs/anvil-${process.platform}-${process.arch === "x64" ? "amd64" : process.arch}`;
  try {
    return createRequire(import.meta.url).resolve(`${name}/bin/anvil${process.platform === "win32" ? ".exe" : ""}`);
  } catch {
    return "anvil";
  }
}

function cannotRun(error: NodeJS.ErrnoException): Error {
  if (error.code !== "ENOENT") return new Error(`anvil can't be run: ${error.message}`);
  return new Error(
    "The devnet needs anvil, which npm installs on Linux, macOS and Windows unless it is told --omit=optional. Elsewhere install " +
      "Foundry (https://getfoundry.sh), whose anvil is taken from the PATH. Or set RPC_URL to use a node of your own.",
  );
}

function portTaken(port: number): Error {
  return new Error(
    `Port ${port} for the devnet's node is taken on ${HOST}, perhaps by a devnet that is already running. ` +
      "Stop that program or set DEVNET_PORT to another port.",
  );
}

async function assertPortFree(port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const probe = createServer();
    probe.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE") reject(portTaken(port));
      else reject(new Error(`Port ${port} (DEVNET_PORT) can't be used for the devnet's node: ${error.message}`));
    });
    probe.listen({ port, host: HOST, exclusive: true }, () => probe.close(() => resolve()));
  });
}

/** The port that anvil says it listens on; other output is read and dropped for as long as it runs. */
async function portOf(anvil: ChildProcess, wanted: number): Promise<number> {
  return await new Promise<number>((resolve, reject) => {
    let complaint = "";
    const timer = setTimeout(
      () => reject(new Error(`anvil did not start within ${START_TIMEOUT_MS} ms`)),
      START_TIMEOUT_MS,
    );
    timer.unref();
    const settle = (settled: () => void) => {
      clearTimeout(timer);
      settled();
    };
    const lines = createInterface({ input: anvil.stdout! }).on("line", (line) => {
      const match = /^Listening on .*:(\d+)$/.exec(line);
      if (match === null) return;
      settle(() => resolve(Number(match[1])));
      // A full pipe would stop it.
      lines.close();
      anvil.stdout!.resume();
    });
    anvil.stderr!.on("data", (data: Buffer) => {
      complaint = (complaint + data.toString()).slice(-2_000);
    });
    anvil.once("error", (error) => settle(() => reject(cannotRun(error))));
    anvil.once("exit", (code, signal) =>
      settle(() => {
        if (/address already in use|os error 98|os error 48/i.test(complaint)) reject(portTaken(wanted));
        else reject(new Error(`anvil ended at its start (${signal ?? code}): ${complaint.trim()}`));
      }),
    );
  });
}

/**
 * A shell that holds the other end of a pipe of ours: when we are gone, however that came about, the pipe closes and
 * the shell ends the node. Where there is no `sh`, only `stop` ends it.
 */
function startWatchdog(pid: number): ChildProcess {
  const watchdog = spawn("sh", ["-c", 'read -r _; kill -9 "$1"', "sh", String(pid)], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  watchdog.on("error", () => {});
  watchdog.stdin?.on("error", () => {});
  watchdog.unref();
  return watchdog;
}
