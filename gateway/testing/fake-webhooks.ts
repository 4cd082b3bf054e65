import { EventsServiceService } from '#proto/saring/webhooks/v1/events.ts';
import { WebhooksServiceService } from '#proto/saring/webhooks/v1/webhooks.ts';
import { answeringByExample } from '#support/message-examples.ts';

/** Answers with the examples of its messages. */
export const fakeEvents = answeringByExample(EventsServiceService);
export const fakeWebhooks = answeringByExample(WebhooksServiceService);
