/**
 * Makes the image of deploy/Containerfile without a container engine, and runs it: every step in a chroot over a minimal Debian
 * (debootstrap), then the last stage as deploy/compose.yaml runs it, read-only, without rights, as process 1. A devnet stands
 * before it. Ends with 1 when the health check, a price, the file system, the packages or the end by SIGTERM is not as it
 * should be, and with 2 where this machine cannot do it.
 *
 *   npm run image
 *
 * The first run makes .cache/image, with Debian's packages from the network.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeChainFile } from "../../fixtures/chain/chain-file.ts";
import { freePort } from "../../fixtures/free-port.ts";
import { devnetChain } from "../../src/devnet/chain.ts";
import { devnetLayout } from "../../src/devnet/markets/devnet-layout.ts";
import { devnetAccounts } from "../../src/devnet/node/accounts.ts";
import { baseSystem, makeLayers } from "./image-layers.ts";
import { root } from "./package-folder.ts";
import { runTimePackages } from "./run-time-packages.ts";

const GIVE_UP_MS = 300_000;
/** The word that this program starts itself with, in a mount namespace of its own. */
const INSIDE = "inside";
/** Takes away the rights that deploy/compose.yaml does: `cap_drop: [ALL]` and `no-new-privileges`. */
const DROP = ["setpriv", "--clear-groups", "--no-new-privs", "--bounding-set=-all", "--inh-caps=-all"];

if (process.argv[2] !== INSIDE) {
  const isThere = (name: string) => spawnSync("sh", ["-c", `command -v ${name}`]).status === 0;
  if (process.getuid?.() !== 0 || !["debootstrap", "unshare", "nsenter"].every(isThere)) {
    console.error("the image cannot be made here: that takes root on Linux, with debootstrap and util-linux");
    process.exit(2);
  }
  const words = ["--mount", "--propagation", "private", process.execPath, fileURLToPath(import.meta.url), INSIDE];
  process.exit(spawnSync("unshare", words, { stdio: "inherit" }).status ?? 1);
}

const layout = devnetLayout(devnetAccounts().whale);
const scratch = mkdtempSync(join(tmpdir(), "image-"));
const running: ChildProcess[] = [];
try {
  const base = baseSystem();
  say("a minimal Debian with Node stands for Node's image");
  const { folder, settings } = makeLayers(base, scratch);
  const own = execFileSync("du", ["-sm", join(scratch, "stage-1", "upper")], { encoding: "utf8" }).split("\t")[0];
  say(`the steps are done: ${own} MB over Node's image`);
  comparePackages(join(folder, "app/node_modules"));

  const [port, node, metrics] = [String(await freePort()), String(await freePort()), String(await freePort())];
  const devnet = spawn(process.execPath, ["src/main.ts"], {
    cwd: root,
    env: { PORT: "0", DEVNET_PORT: node, METRICS_PORT: "0", DATA_DIR: join(scratch, "devnet-data") },
  });
  await started(devnet);
  mkdirSync(join(scratch, "config"));
  writeChainFile(join(scratch, "config", "chain.json"), devnetChain(layout, 2_000));

  const environment: Record<string, string> = {
    PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    ...Object.fromEntries(
      (settings.get("ENV") ?? []).flatMap((line) =>
        line.split(/ +/).map((pair) => pair.split("=") as [string, string]),
      ),
    ),
    ...{ HOST: "127.0.0.1", PORT: port, METRICS_PORT: metrics, TRIBUTARY_API_KEY: "key-of-the-image" },
    ...{ RPC_URL: `http://127.0.0.1:${node}`, CHAIN_FILE: "/config/chain.json" },
  };
  const [user = ""] = settings.get("USER") ?? [];
  const [cwd = ""] = settings.get("WORKDIR") ?? [];
  const list = (name: string) => JSON.parse(settings.get(name)?.[0] ?? "[]") as string[];
  const asUser = [...DROP, `--reuid=${user}`, `--regid=${user}`];
  const mounts = [
    `mount --bind ${folder} ${folder}`,
    `cd ${folder} && mkdir -p config`,
    "mount -t proc proc proc",
    "mount --bind /dev dev",
    "mount -t tmpfs tmpfs tmp",
    // A named volume takes its owner from the image.
    "mount -t tmpfs -o uid=1000,gid=1000 tmpfs data",
    `mount --bind -o ro ${join(scratch, "config")} config`,
    `mount -o remount,bind,ro ${folder}`,
    `exec chroot . sh -c 'cd ${cwd} && exec "$@"' sh "$@"`,
  ];
  const command = ["sh", "-ec", mounts.join("\n"), "sh", ...asUser, ...list("ENTRYPOINT"), ...list("CMD")];
  const service = spawn("unshare", ["--mount", "--pid", "--fork", "--kill-child", ...command], { env: environment });
  await started(service);
  const first = readFileSync(`/proc/${service.pid}/task/${service.pid}/children`, "utf8").trim();
  /** Runs a command as an engine does in a container that runs. */
  const inside = (words: readonly string[]) =>
    execFileSync("nsenter", ["-t", first, "-m", "-p", "-w", `--root=/proc/${first}/root`, ...asUser, ...words], {
      env: environment,
      encoding: "utf8",
    }).trim();
  const [name = ""] = inside(["cat", "/proc/1/comm"]).split("\n");
  if (!/^(node|MainThread)$/.test(name)) throw new Error(`process 1 is ${name}`);
  say(`the service runs as ${inside(["id", "-un"])}, and is process 1`);
  const writable = inside([
    "sh",
    "-c",
    "for at in /app /etc /usr / /data /tmp; do touch $at/new 2>&- && echo $at; done; :",
  ]);
  if (writable !== "/data\n/tmp") throw new Error(`these can be written to: ${writable}`);
  if (!/^CapBnd:\s+0+$/m.test(inside(["cat", "/proc/1/status"]))) throw new Error("the service has capabilities");
  say("it can write to /data and /tmp only, and has no capability");

  const [, check = "[]"] = /CMD (\[.*\])/.exec(settings.get("HEALTHCHECK")?.[0] ?? "") ?? [];
  inside(JSON.parse(check) as string[]);
  say("the health check is content");
  const query = new URLSearchParams({
    sellToken: layout.token("WETH").address,
    buyToken: layout.token("USDH").address,
    sellAmount: String(10n ** 18n),
  });
  const answer = await fetch(`http://127.0.0.1:${port}/swap/v1/price?${query}`, {
    headers: { "api-key": "key-of-the-image" },
  });
  const price = (await answer.json()) as { readonly buyAmount?: string };
  if (price.buyAmount === undefined) throw new Error(JSON.stringify(price));
  say(`a price: ${price.buyAmount}`);

  const [signal = ""] = settings.get("STOPSIGNAL") ?? [];
  const ended = new Promise<number | null>((resolve) => service.once("exit", resolve));
  process.kill(Number(first), signal as NodeJS.Signals);
  const code = await ended;
  if (code !== 0) throw new Error(`after ${signal} the service ended with ${code}`);
  say(`${signal} ends it with 0`);
} finally {
  for (const child of running) child.kill("SIGTERM");
  await Promise.all(running.map((child) => child.exitCode ?? new Promise((resolve) => child.once("exit", resolve))));
  for (const name of readdirSync(scratch)) spawnSync("umount", [join(scratch, name, "merged")], { stdio: "ignore" });
  rmSync(scratch, { recursive: true });
}

/** Every package in the image is in the bill of materials, and every one that is not optional is in the image. */
function comparePackages(modules: string): void {
  const { packages } = JSON.parse(readFileSync(join(modules, ".package-lock.json"), "utf8")) as {
    readonly packages: Readonly<Record<string, { readonly version: string }>>;
  };
  const nameOf = (path: string) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
  const found = new Set(Object.entries(packages).map(([path, { version }]) => `${nameOf(path)}@${version}`));
  const billed = runTimePackages().map((it) => ({ ...it, id: `${it.name}@${it.version}` }));
  const ids = new Set(billed.map(({ id }) => id));
  const wrong = [
    ...[...found].filter((id) => !ids.has(id)).map((id) => `${id} is not in the bill of materials`),
    ...billed
      .filter(({ id, isOptional }) => !isOptional && !found.has(id))
      .map(({ id }) => `${id} is not in the image`),
  ];
  if (wrong.length > 0) throw new Error(wrong.join("\n"));
  say(`its ${found.size} packages are those of the bill of materials`);
}

/** Waits until a service says where it is. */
function started(child: ChildProcess): Promise<void> {
  running.push(child);
  return new Promise((resolve, reject) => {
    let output = "";
    const look = (chunk: Buffer) => {
      output += chunk.toString();
      if (/^curl /m.test(output)) resolve();
    };
    child.stdout?.on("data", look);
    child.stderr?.on("data", look);
    child.once("exit", (code) => reject(new Error(`ended with ${code}:\n${output}`)));
    setTimeout(() => reject(new Error(`nothing after five minutes:\n${output}`)), GIVE_UP_MS).unref();
  });
}

function say(what: string): void {
  console.log(`ok  ${what}`);
}
