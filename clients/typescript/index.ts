export type { CallOptions, Schemas } from './api-types.ts';
export { SaringClient } from './client.ts';
export type { AnyModelId, FinishedJob, Job, JobOf, ModelId, ResultOf, ViewOf } from './api-types.ts';
export type { DeprecationNotice } from './deprecations.ts';
export type { Event, EventTypeName, MissedEvents } from './following/follow-events.ts';
export type { Paged } from './call-options.ts';
export type { SimulationJob } from './resources/simulations.ts';
export { resultOf } from './run-and-wait.ts';
export {
  SaringError,
  type ApiErrorCode,
  type ClientErrorCode,
  type FieldError,
  type SaringErrorCode,
} from './saring-error.ts';
export type { Answer, ClientOptions } from './transport.ts';
export { verifyWebhook, WebhookVerificationError, type WebhookEvent } from './verify-webhook.ts';
