/**
 * Loaded before a service (`node --import`): notes for one request at a time which function of src calls which, and tells
 * its parent. Work of the service that does not come from the request is not noted.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { Server } from "node:http";
import { registerHooks } from "node:module";
import { relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { ENTERED, instrumented, layerOf, type Place } from "./instrument.ts";
import type { Step } from "./steps.ts";

/** Calls of one function that are looked at: it is entered from everywhere by then, and looking is slow. */
const MAX_LOOKS = 300;
/** Frames that may lie between two functions of src: those of the engine and of libraries. */
const MAX_FRAMES = 12;

const OUTSIDE: Place = { layer: "outside", name: "outside" };
const source = pathToFileURL(`${process.cwd()}/src/`).href;
const places: Place[] = [];
/** Number of looks at each function. */
const looks: number[] = [];
/** Steps of the request that is being answered, by who calls and what is called. */
const requests = new AsyncLocalStorage<Map<string, Step>>();
let noting: Map<string, Step> | undefined;

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (!url.startsWith(source) || !url.endsWith(".ts") || loaded.source === null || loaded.source === undefined)
      return loaded;
    const path = relative(process.cwd(), fileURLToPath(url));
    return { ...loaded, source: instrumented(path, textOf(loaded.source), (place) => places.push(place) - 1) };
  },
});

const emit = Server.prototype.emit as (this: Server, name: string, ...values: readonly unknown[]) => boolean;
Object.assign(Server.prototype, {
  emit(this: Server, name: string, ...values: readonly unknown[]): boolean {
    const answer = () => emit.call(this, name, ...values);
    return name === "request" && noting !== undefined ? requests.run(noting, answer) : answer();
  },
});

Object.assign(globalThis, { [ENTERED]: entered });

process.on("message", (message: unknown) => {
  if (message === "begin") noting = new Map();
  else if (message === "end") {
    process.send?.([...(noting?.values() ?? [])]);
    noting = undefined;
  }
});

function entered(number: number): void {
  const steps = requests.getStore();
  const seen = looks[number] ?? 0;
  if (steps === undefined || seen === MAX_LOOKS) return;
  looks[number] = seen + 1;
  const to = places[number] as Place;
  const from = caller();
  const key = `${from.name} → ${to.name}`;
  if (from.layer !== to.layer && !steps.has(key)) steps.set(key, { from, to });
}

/** Caller of the function that is entered. */
function caller(): Place {
  const { prepareStackTrace, stackTraceLimit } = Error;
  Error.stackTraceLimit = MAX_FRAMES;
  Error.prepareStackTrace = (_, frames) => frames;
  const frames = new Error("caller").stack as unknown as NodeJS.CallSite[];
  Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  // This function, the one that noted the entry, and the one that was entered come first.
  const frame = frames.slice(3).find((each) => each.getFileName()?.startsWith(source));
  if (frame === undefined) return OUTSIDE;
  const path = `src/${frame.getFileName()?.slice(source.length)}`;
  return { layer: layerOf(path), name: `${path}: ${frame.getFunctionName() ?? "without a name"}` };
}

function textOf(text: string | NodeJS.ArrayBufferView | ArrayBuffer): string {
  return typeof text === "string" ? text : new TextDecoder().decode(text);
}
