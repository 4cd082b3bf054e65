export type { CallOptions, Schemas } from './transport/api-types.ts';
export { SaringClient } from './client.ts';
export type {
  AnyModelId,
  FinishedJob,
  Job,
  JobOf,
  ModelId,
  ResultOf,
  ViewOf,
} from './transport/api-types.ts';
export type { DeprecationNotice } from './transport/deprecations.ts';
export type { Event, EventTypeName, MissedEvents } from './following/follow-events.ts';
export type { Paged } from './transport/call-options.ts';
export type { SimulationJob } from './resources.ts';
export { resultOf } from './run-and-wait.ts';
export {
  SaringError,
  type ApiErrorCode,
  type ClientErrorCode,
  type FieldError,
  type SaringErrorCode,
} from './transport/saring-error.ts';
export type { Answer, ClientOptions } from './transport/transport.ts';
export { verifyWebhook, WebhookVerificationError, type WebhookEvent } from './verify-webhook.ts';
