import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  type SpanOptions,
  type Tracer,
  type TracerProvider,
  trace,
} from "@opentelemetry/api";
import { createRandom } from "../../fixtures/random.ts";

/** A span that has ended. */
export interface EndedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Id of the span above it; undefined for the first of a trace. */
  readonly parentId: string | undefined;
  readonly attributes: Attributes;
}

/** Minimal SDK behind the API: every span is sampled, and kept when it ends. */
export function createTinyTracer(): { readonly provider: TracerProvider; readonly spans: EndedSpan[] } {
  const { unit } = createRandom(1);
  const digits = (count: number) =>
    Array.from({ length: count }, () => Math.floor(1 + unit() * 15).toString(16)).join("");
  const spans: EndedSpan[] = [];

  function start(name: string, { attributes = {} }: SpanOptions, above: Context): Span {
    const parent = trace.getSpanContext(above);
    const own: SpanContext = {
      traceId: parent?.traceId ?? digits(32),
      spanId: digits(16),
      traceFlags: 1,
      ...(parent?.traceState && { traceState: parent.traceState }),
    };
    const all: Attributes = { ...attributes };
    let open = true;
    const span: Span = {
      spanContext: () => own,
      isRecording: () => open,
      setAttribute(key, value) {
        all[key] = value;
        return span;
      },
      setAttributes(more) {
        Object.assign(all, more);
        return span;
      },
      setStatus: ({ code }) => span.setAttribute("status", code),
      addEvent: () => span,
      addLink: () => span,
      addLinks: () => span,
      updateName: () => span,
      recordException() {},
      end() {
        if (!open) throw new Error(`the span ${name} ended twice`);
        open = false;
        spans.push({ name, traceId: own.traceId, spanId: own.spanId, parentId: parent?.spanId, attributes: all });
      },
    };
    return span;
  }

  const tracer = {
    startSpan: (name: string, options: SpanOptions = {}, above: Context = ROOT_CONTEXT) => start(name, options, above),
    startActiveSpan() {
      throw new Error("nobody uses this");
    },
  } satisfies Record<keyof Tracer, unknown>;
  return { provider: { getTracer: () => tracer as unknown as Tracer }, spans };
}
