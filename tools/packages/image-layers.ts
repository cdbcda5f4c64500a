import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { root } from "./package-folder.ts";

/** An instruction of deploy/Containerfile: `COPY` and `bin bin`, say. */
interface Step {
  readonly word: string;
  readonly rest: string;
}

/** A root file system with what the instructions after it say about running it. */
export interface Layers {
  readonly folder: string;
  readonly settings: ReadonlyMap<string, readonly string[]>;
}

/** Files of this machine that an engine, too, puts into a container while a step runs. */
const LENT = ["/etc/resolv.conf", "/etc/hosts", "/etc/ssl/certs"];
/** Settings that lead npm to the registry of this machine. */
const NETWORK_SETTINGS = /^(npm_config_(registry|cafile)|(npm_config_)?(https?_|no_?)proxy|NODE_EXTRA_CA_CERTS)$/i;

const steps: readonly Step[] = readFileSync(join(root, "deploy/Containerfile"), "utf8")
  .replaceAll("\\\n", " ")
  .split("\n")
  .map((line) => /^([A-Z]+) +(.*)$/.exec(line))
  .flatMap((match) => (match === null ? [] : [{ word: match[1] as string, rest: (match[2] as string).trim() }]));

/**
 * Does the steps of deploy/Containerfile, each in a chroot over the layers before it. The caller is root in a mount namespace of
 * its own, whose end takes all mounts away.
 * @param base the root file system in the place of Node's image
 * @param scratch an empty folder for the layers
 * @returns the last stage
 */
export function makeLayers(base: string, scratch: string): Layers {
  const stages = new Map<string, Layers>();
  let stage: Layers | undefined;
  let folder = "/";
  for (const { word, rest } of steps) {
    if (word === "FROM") {
      const [, , name = `stage-${stages.size}`] = rest.split(/ +/);
      stage = { folder: mountOver(base, join(scratch, name)), settings: new Map() };
      stages.set(name, stage);
      continue;
    }
    if (stage === undefined) continue;
    const place = (path: string) => join(stage?.folder ?? "", path.startsWith("/") ? path : join(folder, path));
    (stage.settings as Map<string, readonly string[]>).set(word, [...(stage.settings.get(word) ?? []), rest]);
    if (word === "WORKDIR") {
      folder = rest;
      mkdirSync(place("."), { recursive: true });
    } else if (word === "COPY") {
      const [first = "", ...others] = rest.split(/ +/);
      const [, from] = /^--from=(.*)$/.exec(first) ?? [];
      const source = from === undefined ? root : (stages.get(from)?.folder ?? "");
      copy(source, from === undefined ? [first, ...others] : others, place);
    } else if (word === "RUN") {
      runStep(stage.folder, folder, rest);
    }
  }
  if (stage === undefined) throw new Error("deploy/Containerfile has no stage");
  return stage;
}

/** Debian's smallest system with Node, npm and the user that Node's image has; made once, then kept. */
export function baseSystem(): string {
  const pins = readFileSync(join(root, "deploy/pin-images.sh"), "utf8");
  const [, version, suite] = /\/node:([\d.]+)-(\w+)-slim$/m.exec(pins) ?? [];
  if (version === undefined || suite === undefined) throw new Error("deploy/pin-images.sh names no slim image of Node");
  const kept = join(root, ".cache/image", `${suite}-node-${version}`);
  if (existsSync(kept)) return kept;
  const made = `${kept}.partial`;
  rmSync(made, { recursive: true, force: true });
  mkdirSync(made, { recursive: true });
  execFileSync("debootstrap", ["--variant=minbase", suite, made], { stdio: ["ignore", "ignore", "inherit"] });
  copyFileSync(process.execPath, join(made, "usr/local/bin/node"));
  const program = execFileSync("sh", ["-c", 'realpath "$(command -v npm)"'], { encoding: "utf8" }).trim();
  const npm = join(dirname(program), "..");
  mkdirSync(join(made, "usr/local/lib/node_modules"), { recursive: true });
  execFileSync("cp", ["-rL", npm, join(made, "usr/local/lib/node_modules/npm")]);
  execFileSync("ln", ["-s", "../lib/node_modules/npm/bin/npm-cli.js", join(made, "usr/local/bin/npm")]);
  execFileSync("chroot", [made, "useradd", "--uid", "1000", "--create-home", "node"]);
  renameSync(made, kept);
  return kept;
}

function mountOver(base: string, folder: string): string {
  const [upper, work, merged] = ["upper", "work", "merged"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const each of [upper, work, merged]) mkdirSync(each, { recursive: true });
  const options = `lowerdir=${base},upperdir=${upper},workdir=${work}`;
  execFileSync("mount", ["-t", "overlay", "overlay", "-o", options, merged]);
  return merged;
}

/** As COPY has it: a folder gives what is in it, and several sources go into a folder. */
function copy(source: string, names: readonly string[], place: (path: string) => string): void {
  const target = names.at(-1) ?? "";
  for (const name of names.slice(0, -1)) {
    const into = target.endsWith("/") ? place(join(target, basename(name))) : place(target);
    mkdirSync(dirname(into), { recursive: true });
    execFileSync("cp", ["-a", "--no-target-directory", join(source, name), into]);
    execFileSync("chown", ["-R", "0:0", into]);
  }
}

function runStep(folder: string, cwd: string, command: string): void {
  const lent = LENT.filter((path) => existsSync(path));
  for (const path of lent) {
    const place = join(folder, path);
    const isFolder = path === "/etc/ssl/certs";
    mkdirSync(isFolder ? place : dirname(place), { recursive: true });
    if (!isFolder && !existsSync(place)) execFileSync("touch", [place]);
    execFileSync("mount", ["--bind", path, place]);
  }
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => NETWORK_SETTINGS.test(name)));
  env.npm_config_registry ??= execFileSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).trim();
  const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
  try {
    execFileSync("chroot", [folder, "/bin/sh", "-c", `cd ${cwd} && ${command}`], {
      env: { ...env, PATH, HOME: "/root", npm_config_update_notifier: "false" },
      stdio: ["ignore", "ignore", "inherit"],
    });
  } finally {
    for (const path of lent) execFileSync("umount", [join(folder, path)]);
  }
}
