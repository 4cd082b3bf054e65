export interface SpanStart {
  name: string;
  kind: 'server' | 'producer' | 'consumer' | 'internal';
  /** W3C trace context of what caused it; without one it begins a trace. */
  parent: string | undefined;
  attributes?: Record<string, string | number | undefined>;
  /** Milliseconds since 1970; now when absent. */
  startMs?: number;
}

export interface SpanEnd {
  /** Replaces the first one, where more is known now. */
  name?: string;
  attributes?: Record<string, string | number | undefined>;
  /** What went wrong. */
  error?: string | undefined;
  /** Milliseconds since 1970; now when absent. */
  endMs?: number;
}

/** Something that takes time, as part of a trace. */
export interface OpenSpan {
  /** W3C trace context for what it causes. */
  traceparent: string;
  end(end?: SpanEnd): void;
}

let tracer: { begin(start: SpanStart): OpenSpan } | undefined;

/**
 * Sends spans to a collector from now on. What does so is loaded only then: a process without it pays with neither memory nor
 * time. Returns how to stop, which sends what is left.
 */
export async function startTracing(service: string, endpoint: string): Promise<() => Promise<void>> {
  const { Tracer: OtlpTracer } = await import('./otlp-tracer.ts');
  const started = new OtlpTracer(service, endpoint);
  tracer = started;
  return () => started.stop();
}

/** Undefined while tracing is off. */
export function beginSpan(start: SpanStart): OpenSpan | undefined {
  return tracer?.begin(start);
}

/** A span of what is already over. */
export function recordSpan(start: SpanStart, end: SpanEnd): void {
  tracer?.begin(start).end(end);
}
