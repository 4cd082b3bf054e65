import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Tracer as ApiTracer,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import type { OpenSpan, SpanEnd, SpanStart } from './span.ts';

const KINDS: Record<SpanStart['kind'], SpanKind> = {
  server: SpanKind.SERVER,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
};
const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
/** Spans are sent in batches, at least this often. A collector that is unavailable costs only spans. */
const SEND_EVERY_MS = 1_000;
/** Shorter than the time that a process has to stop. */
const SEND_WITHIN_MS = 2_000;

/** Creates spans and sends them to a collector by OTLP over HTTP. */
export class Tracer {
  readonly #provider: NodeTracerProvider;
  readonly #tracer: ApiTracer;

  constructor(service: string, endpoint: string) {
    const url = `${endpoint.replace(/\/$/, '')}/v1/traces`;
    const exporter = new OTLPTraceExporter({ url, timeoutMillis: SEND_WITHIN_MS });
    this.#provider = new NodeTracerProvider({
      resource: resourceFromAttributes({ 'service.name': `saring-${service}`, 'process.pid': process.pid }),
      spanProcessors: [new BatchSpanProcessor(exporter, { scheduledDelayMillis: SEND_EVERY_MS })],
    });
    this.#tracer = this.#provider.getTracer('saring');
  }

  begin({ name, kind, parent, attributes = {}, startMs }: SpanStart): OpenSpan {
    const options = { kind: KINDS[kind], attributes: known(attributes), startTime: startMs ?? Date.now() };
    const span = this.#tracer.startSpan(name, options, contextOf(parent));
    const { traceId, spanId, traceFlags } = span.spanContext();
    return {
      traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
      end: (end: SpanEnd = {}) => {
        if (end.name !== undefined) span.updateName(end.name);
        if (end.attributes) span.setAttributes(known(end.attributes));
        if (end.error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: end.error });
        span.end(end.endMs);
      },
    };
  }

  /** Sends the remaining spans. */
  async stop(): Promise<void> {
    await this.#provider.shutdown();
  }
}

function contextOf(parent: string | undefined): Context {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(parent ?? '') ?? [];
  if (!traceId || !spanId || !flags) return ROOT_CONTEXT;
  const context = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return trace.setSpanContext(ROOT_CONTEXT, context);
}

function known(attributes: NonNullable<SpanStart['attributes']>): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
}
