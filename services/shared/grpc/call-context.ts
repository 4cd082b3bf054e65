import { Metadata } from '@grpc/grpc-js';
import { randomId } from '../ids.ts';
import type { Logger } from '../logger.ts';

/** What travels with a request through every service it touches. */
export interface CallContext {
  /** `req_…`, finds the request in every log. */
  requestId: string;
  /** W3C trace context, passed on as it came. */
  traceparent?: string | undefined;
  /** Ends the work when the caller has gone away. */
  signal?: AbortSignal | undefined;
  /** Makes the call an administrative one. */
  operatorToken?: string | undefined;
  /** Who acts, as an operator's caller names itself; for the record, proves nothing. */
  actor?: string | undefined;
}

/** What a handler knows of its call. */
export interface Call extends CallContext {
  signal: AbortSignal;
  /** How long the caller waited yet when the call came, in milliseconds; Infinity when it said nothing. */
  remainingMs: number;
  log: Logger;
}

const REQUEST_ID = 'x-request-id';
const TRACEPARENT = 'traceparent';
const AUTHORIZATION = 'authorization';
const ACTOR = 'x-actor';

export function toMetadata(context: CallContext): Metadata {
  const metadata = new Metadata();
  metadata.set(REQUEST_ID, context.requestId);
  if (context.traceparent) metadata.set(TRACEPARENT, context.traceparent);
  if (context.operatorToken) metadata.set(AUTHORIZATION, `Bearer ${context.operatorToken}`);
  if (context.actor) metadata.set(ACTOR, encodeURIComponent(context.actor));
  return metadata;
}

export function fromMetadata(metadata: Metadata): Omit<CallContext, 'signal'> {
  const first = (key: string) => metadata.get(key)[0]?.toString();
  return {
    // A caller of one's own that gives no id still finds its call in the logs of what it causes.
    requestId: first(REQUEST_ID) || randomId('req'),
    traceparent: first(TRACEPARENT),
    operatorToken: first(AUTHORIZATION)?.replace(/^Bearer /, ''),
    actor: decoded(first(ACTOR)),
  };
}

/** As it came when it is no percent-encoding: the sender still gave a name. */
function decoded(text: string | undefined): string | undefined {
  try {
    return text && decodeURIComponent(text);
  } catch {
    return text;
  }
}
