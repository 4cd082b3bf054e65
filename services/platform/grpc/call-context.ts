import { Metadata } from '@grpc/grpc-js';
import { randomId } from '#foundation/ids.ts';
import { TEST_MARKET, type CalledMarket } from '#foundation/test-market.ts';
import type { Logger } from '../operations/logger.ts';
import { CallCost } from './call-cost.ts';

/** The context that travels with a request through every service it touches. */
export interface CallContext {
  /** `req_…`, which identifies the request in every log. */
  requestId: string;
  /** W3C trace context, passed on unchanged. */
  traceparent?: string | undefined;
  /** The market that the request reads, if it is not the served one. */
  market?: CalledMarket;
  /** The key for which the work is done, where it shares time with that of other keys. It proves nothing. */
  apiKeyId?: string | undefined;
  /** What the work costs the key. Undefined where nobody pays: work of the service's own accord, and calls of other services. */
  cost?: CallCost | undefined;
  /** Aborts when the caller disconnects. */
  signal?: AbortSignal | undefined;
  /** Makes the call an operator's call. */
  operatorToken?: string | undefined;
  /** Who acts, as the operator's client names itself. Only for the record; it proves nothing. */
  actor?: string | undefined;
}

/** The context of a call, for its handler. */
export interface Call extends CallContext {
  signal: AbortSignal;
  /** The time until the caller's deadline when the call arrived, in milliseconds; Infinity without a deadline. */
  remainingMs: number;
  log: Logger;
}

const REQUEST_ID = 'x-request-id';
const TRACEPARENT = 'traceparent';
const AUTHORIZATION = 'authorization';
const ACTOR = 'x-actor';
const MARKET = 'x-market';
const API_KEY_ID = 'x-api-key-id';
const COST_PAID = 'x-cost-paid';
const COST_CHARGED = 'x-cost-charged';

export function toMetadata(context: CallContext): Metadata {
  const metadata = new Metadata();
  metadata.set(REQUEST_ID, context.requestId);
  if (context.market) metadata.set(MARKET, context.market);
  if (context.apiKeyId) metadata.set(API_KEY_ID, context.apiKeyId);
  if (context.cost) {
    metadata.set(COST_PAID, String(context.cost.paidMs));
    metadata.set(COST_CHARGED, String(context.cost.chargedMs));
  }
  if (context.traceparent) metadata.set(TRACEPARENT, context.traceparent);
  if (context.operatorToken) metadata.set(AUTHORIZATION, `Bearer ${context.operatorToken}`);
  if (context.actor) metadata.set(ACTOR, encodeURIComponent(context.actor));
  return metadata;
}

export function fromMetadata(metadata: Metadata): Omit<CallContext, 'signal'> {
  const first = (key: string) => metadata.get(key)[0]?.toString();
  return {
    // A caller that gives no id gets one, so that its call can still be found in the logs.
    requestId: first(REQUEST_ID) || randomId('req'),
    traceparent: first(TRACEPARENT),
    market: first(MARKET) === TEST_MARKET ? TEST_MARKET : undefined,
    apiKeyId: first(API_KEY_ID),
    cost: costIn(metadata),
    operatorToken: first(AUTHORIZATION)?.replace(/^Bearer /, ''),
    actor: decoded(first(ACTOR)),
  };
}

function costIn(metadata: Metadata): CallCost | undefined {
  const number = (key: string) => Number(metadata.get(key)[0] ?? 0);
  return metadata.get(COST_PAID).length > 0
    ? new CallCost(number(COST_PAID), number(COST_CHARGED))
    : undefined;
}

/** What goes back with a response: what the work has cost so far. */
export function costTrailer({ cost }: CallContext): Metadata | undefined {
  if (!cost) return undefined;
  const metadata = new Metadata();
  metadata.set(COST_CHARGED, String(cost.chargedMs));
  return metadata;
}

export function readCostTrailer({ cost }: CallContext, trailer: Metadata): void {
  const [chargedMs] = trailer.get(COST_CHARGED);
  if (cost && chargedMs !== undefined) cost.chargedMs = Number(chargedMs);
}

/** A name that is not valid percent-encoding is used unchanged. */
function decoded(text: string | undefined): string | undefined {
  try {
    return text && decodeURIComponent(text);
  } catch {
    return text;
  }
}
