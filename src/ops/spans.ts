import { type Attributes, type Context, context, type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { contextOf, validSpanContext } from "./trace-context.ts";

/** Makes nothing unless an SDK is loaded: the API alone is a shell. */
const tracer = trace.getTracer("tributary");

/** The span of one call at the API, and where in a trace the call is. */
export interface CallSpan {
  readonly context: Context;
  /** Runs work whose own spans, log lines and requests belong to the call. */
  within<T>(work: () => T): T;
  /** @param fault what went wrong on our side, if anything did */
  end(attributes: Attributes, fault: string | undefined): void;
}

/** Begins the span of a call below the span that its caller sent, if it sent one. */
export function beginCall(name: string, headers: Parameters<typeof contextOf>[0], attributes: Attributes): CallSpan {
  const parent = contextOf(headers);
  const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent);
  const own = span.isRecording() ? trace.setSpan(parent, span) : parent;
  const isTraced = validSpanContext(own) !== undefined;
  return {
    context: own,
    within: (work) => (isTraced ? context.with(own, work) : work()),
    end(found, fault) {
      span.setAttributes(found);
      if (fault !== undefined) fail(span, fault);
      span.end();
    },
  };
}

/**
 * Runs work in a span of its own, if it is part of a call that is traced; what nobody asked for (following the chain) is
 * measured by metrics. A span says the kind of a failure, never its text.
 */
export function inSpan<T>(name: string, attributes: Attributes, work: () => T): T {
  const active = context.active();
  if (validSpanContext(active) === undefined) return work();
  const span = tracer.startSpan(name, { attributes }, active);
  if (!span.isRecording()) return work();
  const failed = (error: unknown) => {
    fail(span, kindOf(error));
    span.end();
  };
  try {
    const result = context.with(trace.setSpan(active, span), work);
    if (result instanceof Promise) result.then(() => span.end(), failed);
    else span.end();
    return result;
  } catch (error) {
    failed(error);
    throw error;
  }
}

function fail(span: Span, kind: string): void {
  span.setAttribute("error.type", kind);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

function kindOf(error: unknown): string {
  if (error instanceof Error) return "kind" in error ? String(error.kind) : error.name;
  return "unknown";
}
