import { serviceRoute } from './service-route.ts';

const ofKey = { tag: 'Webhooks', access: 'webhooks:write', ofCaller: ['api_key_id'] } as const;
const aboutOne = { ...ofKey, unknownIdCode: 'webhook_not_found', errors: ['webhook_not_found'] } as const;

/** Endpoints of applications, to which events are delivered. Their inputs and answers are described in webhooks.proto. */
export const webhookRoutes = [
  serviceRoute({
    ...ofKey,
    method: 'post',
    path: '/api/v1/webhooks',
    operationId: 'createWebhook',
    rpc: ['webhooks', 'createWebhook'],
    status: 201,
    summary: 'Create a webhook',
    description:
      'Has events of the key delivered to a URL, from now on. Each delivery is a POST that is signed by the Standard Webhooks ' +
      'specification, with the `secret` that this answer alone shows. An event is delivered at least once, and events may arrive ' +
      'in any order. Any status of 2xx within 10 seconds acknowledges it; otherwise it is sent again, ten times within three ' +
      'days. Redirects are not followed. An endpoint that answers 410, or that fails for five days, is disabled. A key can own ' +
      '20 webhooks, unless the operator has set another limit.',
    answer: 'The new webhook and its secret.',
    errors: [],
  }),
  serviceRoute({
    ...ofKey,
    method: 'get',
    path: '/api/v1/webhooks',
    operationId: 'listWebhooks',
    rpc: ['webhooks', 'listWebhooks'],
    summary: 'List webhooks',
    description:
      'Lists the webhooks of the key, newest first. Pass `next_cursor` as `cursor` until `has_more` is false.',
    answer: 'A page of webhooks.',
    errors: ['invalid_cursor'],
  }),
  serviceRoute({
    ...aboutOne,
    method: 'get',
    path: '/api/v1/webhooks/{webhook_id}',
    operationId: 'getWebhook',
    rpc: ['webhooks', 'getWebhook'],
    member: 'webhook',
    summary: 'Get a webhook',
    description: 'Returns a webhook, without its secret.',
    answer: 'The webhook.',
  }),
  serviceRoute({
    ...aboutOne,
    method: 'put',
    path: '/api/v1/webhooks/{webhook_id}',
    operationId: 'replaceWebhook',
    rpc: ['webhooks', 'replaceWebhook'],
    member: 'webhook',
    summary: 'Replace a webhook',
    description:
      'Replaces the URL, the types of events and the description. What the body leaves out gets its default. The secret stays, ' +
      'and what waits is delivered to the new URL. A disabled webhook stays disabled.',
    answer: 'The webhook.',
  }),
  serviceRoute({
    ...aboutOne,
    method: 'delete',
    path: '/api/v1/webhooks/{webhook_id}',
    operationId: 'deleteWebhook',
    rpc: ['webhooks', 'deleteWebhook'],
    summary: 'Delete a webhook',
    description: 'Deletes a webhook with its deliveries. What waits is not delivered.',
    answer: 'The webhook is deleted.',
  }),
  serviceRoute({
    ...aboutOne,
    method: 'post',
    path: '/api/v1/webhooks/{webhook_id}/enable',
    operationId: 'enableWebhook',
    rpc: ['webhooks', 'enableWebhook'],
    member: 'webhook',
    summary: 'Enable a webhook',
    description:
      'Has events delivered again, from now on, and at once what still waits. Events that came while the webhook was disabled ' +
      'can be had with `redeliver`. An enabled webhook stays as it is.',
    answer: 'The webhook.',
  }),
  serviceRoute({
    ...aboutOne,
    method: 'post',
    path: '/api/v1/webhooks/{webhook_id}/disable',
    operationId: 'disableWebhook',
    rpc: ['webhooks', 'disableWebhook'],
    member: 'webhook',
    summary: 'Disable a webhook',
    description:
      'Has no events delivered until the webhook is enabled again. What waits goes on waiting, up to three and a half days from ' +
      'when it was created.',
    answer: 'The webhook.',
  }),
  serviceRoute({
    ...aboutOne,
    method: 'post',
    path: '/api/v1/webhooks/{webhook_id}/rotate',
    operationId: 'rotateWebhookSecret',
    rpc: ['webhooks', 'rotateWebhookSecret'],
    summary: 'Rotate the secret of a webhook',
    description:
      'Makes a new `secret`, which this answer alone shows. For 24 hours the secret before signs as well: `webhook-signature` ' +
      'then has two signatures, and a receiver accepts the request if any fits. Further rotations leave replaced secrets their ' +
      '24 hours; at most five of them sign at the same time.',
    answer: 'The webhook and its new secret.',
  }),
  serviceRoute({
    ...aboutOne,
    method: 'post',
    path: '/api/v1/webhooks/{webhook_id}/test',
    operationId: 'testWebhook',
    rpc: ['webhooks', 'testWebhook'],
    member: 'delivery',
    status: 201,
    summary: 'Send a test event',
    description:
      'Sends an event of the type `webhook.test` to this webhook alone, once, whatever types it wants. The event has the ' +
      '`sequence` 0. What came of it is listed among the deliveries. A disabled webhook gets it once it is enabled.',
    answer: 'The delivery of the test event.',
  }),
  serviceRoute({
    ...aboutOne,
    method: 'get',
    path: '/api/v1/webhooks/{webhook_id}/deliveries',
    operationId: 'listDeliveries',
    rpc: ['webhooks', 'listDeliveries'],
    summary: 'List deliveries',
    description:
      'Lists the deliveries of a webhook, newest first, each with all its attempts: when it was made, how long it took, the ' +
      'headers of the request, and the status and beginning of the answer.',
    answer: 'A page of deliveries.',
    errors: ['webhook_not_found', 'invalid_cursor'],
  }),
  serviceRoute({
    ...aboutOne,
    method: 'post',
    path: '/api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver',
    operationId: 'redeliverEvent',
    rpc: ['webhooks', 'redeliverEvent'],
    member: 'delivery',
    status: 201,
    summary: 'Deliver an event again',
    description:
      'Delivers the event of an earlier delivery again, whatever came of that one, with the same `webhook-id`.',
    answer: 'The new delivery.',
  }),
  serviceRoute({
    ...aboutOne,
    method: 'post',
    path: '/api/v1/webhooks/{webhook_id}/redeliver',
    operationId: 'redeliverMissed',
    rpc: ['webhooks', 'redeliverMissed'],
    sample: { body: { since: '2024-06-28' } },
    status: 201,
    summary: 'Deliver missed events',
    description:
      'Delivers the events since a time that the webhook wants and that were not delivered to it: because it was disabled, or ' +
      'did not exist, or because their deliveries failed. Those that wait are left alone, so the request can be repeated.',
    answer: 'How many deliveries were created.',
  }),
];
