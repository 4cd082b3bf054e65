import type { JsMsg } from '@nats-io/jetstream';
import { headers, type MsgHdrs } from '@nats-io/transport-node';

const TRACEPARENT = 'traceparent';

/** Publish options that pass on a trace; empty without one. */
export function withTrace(traceparent: string | null | undefined): { headers?: MsgHdrs } {
  if (!traceparent) return {};
  const carried = headers();
  carried.set(TRACEPARENT, traceparent);
  return { headers: carried };
}

/** The trace that a message belongs to. */
export function traceOf(message: Pick<JsMsg, 'headers'>): string | undefined {
  return message.headers?.get(TRACEPARENT) || undefined;
}
