export interface SpanStart {
  /** The service whose span it is. */
  service: string;
  name: string;
  kind: 'server' | 'producer' | 'consumer' | 'internal';
  /** W3C trace context of the cause. Without it the span starts a new trace. */
  parent: string | undefined;
  attributes?: Record<string, string | number | undefined>;
  /** Milliseconds since 1970; now when absent. */
  startMs?: number;
}

export interface SpanEnd {
  /** Replaces the first name when more is known at the end. */
  name?: string;
  attributes?: Record<string, string | number | undefined>;
  /** The failure, if any. */
  error?: string | undefined;
  /** Milliseconds since 1970; now when absent. */
  endMs?: number;
}

/** A running span of a trace. */
export interface OpenSpan {
  /** W3C trace context for calls and messages caused by this span. */
  traceparent: string;
  end(end?: SpanEnd): void;
}

const tracers = new Map<string, { begin(start: SpanStart): OpenSpan }>();

/**
 * Sends the spans of a service to a collector from now on. The tracer is loaded only then, so a process without tracing pays neither memory nor
 * time. Returns a function that sends the remaining spans and stops.
 */
export async function startTracing(service: string, endpoint: string): Promise<() => Promise<void>> {
  const { Tracer: OtlpTracer } = await import('./otlp-tracer.ts');
  const started = new OtlpTracer(service, endpoint);
  tracers.set(service, started);
  return () => started.stop();
}

/** Undefined while tracing is off. */
export function beginSpan(start: SpanStart): OpenSpan | undefined {
  return tracers.get(start.service)?.begin(start);
}

/** Records a span that is already over. */
export function recordSpan(start: SpanStart, end: SpanEnd): void {
  tracers.get(start.service)?.begin(start).end(end);
}
