import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The part of a V8 CPU profile that is read here. */
interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  /** Microseconds before each sample. */
  readonly timeDeltas: readonly number[];
}

/** Packages that read and write the wire formats of gRPC and Connect. */
const WIRE = /\/node_modules\/@(connectrpc|bufbuild)\//;
const OURS = /\/src\//;

/**
 * Share of the main thread's CPU time that Connect and protobuf take, with all of Node that they call and without calls
 * back into our own code. `folder` holds the profiles of --cpu-prof.
 */
export function shareOfWire(folder: string): number {
  const [file] = readdirSync(folder).filter((name) => name.endsWith(".cpuprofile"));
  if (file === undefined) throw new Error(`${folder} holds no profile`);
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(join(folder, file), "utf8")) as Profile;
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const callerOf = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const isWire = (id: number): boolean => {
    for (let at: number | undefined = id; at !== undefined; at = callerOf.get(at)) {
      const url = byId.get(at)?.callFrame.url ?? "";
      if (WIRE.test(url)) return true;
      if (OURS.test(url)) return false;
    }
    return false;
  };
  let [busy, wire] = [0, 0];
  for (const [i, id] of samples.entries()) {
    if (byId.get(id)?.callFrame.functionName === "(idle)") continue;
    busy += timeDeltas[i] ?? 0;
    if (isWire(id)) wire += timeDeltas[i] ?? 0;
  }
  return wire / busy;
}
