/**
 * Does what deploy/Containerfile says, without a container engine: the same files in an empty folder, the same command that
 * installs packages, then the service as a user without rights (when started as root), with the file's own environment and
 * start command, in front of a devnet. Ends with 1 when the health check, a price or the end by SIGTERM is not as it should be.
 *
 *   node tools/packages/image.ts
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeChainFile } from "../../fixtures/chain/chain-file.ts";
import { freePort } from "../../fixtures/free-port.ts";
import { devnetChain } from "../../src/devnet/chain.ts";
import { devnetLayout } from "../../src/devnet/markets/devnet-layout.ts";
import { devnetAccounts } from "../../src/devnet/node/accounts.ts";

/** Nobody, on Linux. */
const NOBODY = 65_534;
const GIVE_UP_MS = 300_000;

const root = fileURLToPath(new URL("../..", import.meta.url));
const steps = readFileSync(join(root, "deploy/Containerfile"), "utf8")
  .replaceAll("\\\n", " ")
  .split("\n")
  .map((line) => /^([A-Z]+) +(.*)$/.exec(line))
  .flatMap((match) => (match === null ? [] : [{ word: match[1] as string, rest: (match[2] as string).trim() }]));
const words = (name: string) => steps.filter(({ word }) => word === name).map(({ rest }) => rest);
const list = (name: string) => JSON.parse(words(name)[0] ?? "[]") as string[];

const layout = devnetLayout(devnetAccounts().whale);
const folder = mkdtempSync(join(tmpdir(), "image-"));
const running: ChildProcess[] = [];
try {
  for (const { word, rest } of steps) {
    if (word === "COPY" && !rest.startsWith("--from")) copy(rest.split(/ +/));
    if (word === "RUN" && rest.startsWith("npm")) {
      const [install = ""] = rest.split("&&");
      execFileSync("sh", ["-c", install], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
    }
  }
  say("packages are installed, files are copied");
  const [port, node, metrics] = [String(await freePort()), String(await freePort()), String(await freePort())];
  await start(["src/main.ts"], root, { PORT: "0", DEVNET_PORT: node, DATA_DIR: join(folder, "devnet-data") });
  writeChainFile(join(folder, "chain.json"), devnetChain(layout, 2_000));
  const data = join(folder, "data");
  mkdirSync(data);
  chmodSync(folder, 0o755);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(data, NOBODY, NOBODY);

  const environment = {
    ...Object.fromEntries(
      words("ENV").flatMap((line) => line.split(/ +/).map((pair) => pair.split("=") as [string, string])),
    ),
    ...{ HOST: "127.0.0.1", PORT: port, METRICS_PORT: metrics, DATA_DIR: data, TRIBUTARY_API_KEY: "key-of-the-image" },
    ...{ RPC_URL: `http://127.0.0.1:${node}`, CHAIN_FILE: join(folder, "chain.json") },
  };
  const [command, ...args] = [...list("ENTRYPOINT"), ...list("CMD")];
  if (command !== "node") throw new Error(`the entry point is ${command}`);
  const { child, line } = await start(args, folder, environment, isRoot ? { uid: NOBODY, gid: NOBODY } : {});
  say(`the service runs as ${isRoot ? "nobody" : "you"}`);

  const [, check = "[]"] = /CMD (\[.*\])/.exec(words("HEALTHCHECK")[0] ?? "") ?? [];
  const [, ...healthArgs] = JSON.parse(check) as string[];
  execFileSync(process.execPath, healthArgs, { env: environment });
  say("the health check is content");
  const sellAmount = "1000000000000000000";
  const query = new URLSearchParams({
    sellToken: layout.token("WETH").address,
    buyToken: layout.token("USDH").address,
    sellAmount,
  });
  const ask = line.replace("/sources'", `/price?${query}'`);
  const price = JSON.parse(
    execFileSync("sh", ["-c", ask], { encoding: "utf8", env: { ...process.env, ...environment } }),
  ) as {
    readonly buyAmount?: string;
  };
  if (price.buyAmount === undefined) throw new Error(JSON.stringify(price));
  say(`a price: ${price.buyAmount}`);
  const [signal = ""] = words("STOPSIGNAL");
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  child.kill(signal as NodeJS.Signals);
  const code = await ended;
  if (code !== 0) throw new Error(`after ${signal} the service ended with ${code}`);
  say(`${signal} ends it with 0`);
} finally {
  for (const child of running) child.kill("SIGTERM");
  await Promise.all(running.map((child) => child.exitCode ?? new Promise((resolve) => child.once("exit", resolve))));
  rmSync(folder, { recursive: true });
}

function copy(names: readonly string[]): void {
  const target = names.at(-1) ?? "";
  for (const source of names.slice(0, -1)) {
    const place = target.endsWith("/") ? join(folder, target, source.split("/").at(-1) ?? "") : join(folder, target);
    mkdirSync(dirname(place), { recursive: true });
    cpSync(join(root, source), place, { recursive: true });
  }
}

/** Starts a program of ours, and waits until it says where it is. */
function start(
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
  user: { readonly uid?: number; readonly gid?: number } = {},
): Promise<{ readonly child: ChildProcess; readonly line: string }> {
  const child = spawn(process.execPath, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], ...user });
  running.push(child);
  return new Promise((resolve, reject) => {
    let output = "";
    const look = (chunk: Buffer) => {
      output += chunk.toString();
      const line = /^curl .*$/m.exec(output)?.[0];
      if (line !== undefined) resolve({ child, line });
    };
    child.stdout.on("data", look);
    child.stderr.on("data", look);
    child.once("exit", (code) => reject(new Error(`ended with ${code}:\n${output}`)));
    setTimeout(() => reject(new Error(`nothing after five minutes:\n${output}`)), GIVE_UP_MS).unref();
  });
}

function say(what: string): void {
  console.log(`ok  ${what}`);
}
