import { AsyncLocalStorage } from "node:async_hooks";
import {
  type Context,
  type ContextManager,
  context,
  createContextKey,
  createTraceState,
  isSpanContextValid,
  ROOT_CONTEXT,
  type SpanContext,
  trace,
} from "@opentelemetry/api";

/** `traceparent` of W3C Trace Context, section 3.2: version, trace id, parent id, flags; later versions may say more. */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
/** Sampled, and (level 2) a random trace id: the flags that have a meaning. */
const KNOWN_FLAGS = 0b11;

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The context that a caller sent, or the one we are in; what is malformed counts as not sent, as the standard has it. */
export function contextOf(headers: Headers): Context {
  const active = context.active();
  // An instrumentation of HTTP has read the headers before us: its span stands between the caller's and ours.
  if (trace.getSpan(active) !== undefined) return active;
  const sent = spanContextOf(headers);
  return sent === undefined ? active : trace.setSpanContext(active, sent);
}

/** Headers that carry a context on to the next service; none where there is no trace. */
export function headersOf(active: Context): Record<string, string> {
  const span = validSpanContext(active);
  if (span === undefined) return {};
  const { traceId, spanId, traceFlags, traceState } = span;
  const state = traceState?.serialize() ?? "";
  return {
    traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`,
    ...(state !== "" && { tracestate: state }),
  };
}

/** Fields of a log line that name its trace; none without a trace. */
export function traceFields(active: Context = context.active()): { traceId?: string; spanId?: string } {
  const span = validSpanContext(active);
  return span === undefined ? {} : { traceId: span.traceId, spanId: span.spanId };
}

/** The place in a trace, if there is a trace. */
export function validSpanContext(active: Context): SpanContext | undefined {
  const span = trace.getSpanContext(active);
  return span !== undefined && isSpanContextValid(span) ? span : undefined;
}

/**
 * Sees to it that a context stays with the work that was begun in it, also where no SDK is loaded that does. An SDK that
 * was loaded before (`node --import`) keeps the task.
 */
export function carryContexts(): void {
  const probe = createContextKey("probe");
  const carried = context.with(ROOT_CONTEXT.setValue(probe, true), () => context.active().getValue(probe) === true);
  if (!carried) context.setGlobalContextManager(createContextManager());
}

function createContextManager(): ContextManager {
  const store = new AsyncLocalStorage<Context>();
  const manager: ContextManager = {
    active: () => store.getStore() ?? ROOT_CONTEXT,
    with: (active, work, self, ...words) => store.run(active, () => work.apply(self, words)),
    bind: (active, target) =>
      typeof target === "function"
        ? (store.run(active, () => AsyncLocalStorage.bind(target as never)) as never)
        : target,
    enable: () => manager,
    disable() {
      store.disable();
      return manager;
    },
  };
  return manager;
}

function spanContextOf({ traceparent, tracestate }: Headers): SpanContext | undefined {
  const match = typeof traceparent === "string" ? TRACEPARENT.exec(traceparent) : null;
  if (match === null) return undefined;
  const [, version, traceId = "", spanId = "", flags = "", more] = match;
  if (version === "ff" || (version === "00" && more !== undefined)) return undefined;
  const span = {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16) & KNOWN_FLAGS,
    isRemote: true,
    ...(typeof tracestate === "string" && { traceState: createTraceState(tracestate) }),
  };
  return isSpanContextValid(span) ? span : undefined;
}
