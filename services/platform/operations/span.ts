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
