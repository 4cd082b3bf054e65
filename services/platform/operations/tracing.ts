import type { OpenSpan, SpanEnd, SpanStart } from './span.ts';

const tracers = new Map<string, { begin(start: SpanStart): OpenSpan }>();

/**
 * Sends the spans of a service to a collector from now on. The tracer is loaded only then, so a process without tracing pays
 * neither memory nor time. Returns a function that sends the remaining spans and stops.
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
