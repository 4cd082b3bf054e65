import fc from 'fast-check';
import { NO_RECEIVER, testedWebhook } from '../declared-api/request-parts.ts';
import type { Rest } from '../rest/rest.ts';
import { idsLike, type NamedValues } from './named-values.ts';

/** What the key under test has. */
interface WebhookValues {
  webhooks: string[];
  deliveries: string[];
}

/** The same as `marketValues`, for inputs about webhooks. */
export const webhookValues = ({ webhooks, deliveries }: WebhookValues): NamedValues => ({
  webhook_id: idsLike(webhooks, /^wh_[0-9a-f]{0,40}$/),
  delivery_id: idsLike(deliveries, /^del_[0-9a-f]{0,40}$/),
  url: fc.constantFrom(NO_RECEIVER, `${NO_RECEIVER}?app=1`, 'http://receiver.invalid:8080/'),
  event_types: fc.uniqueArray(fc.constantFrom('run.succeeded', 'feed.late', 'webhook.disabled')),
  description: fc.constantFrom('', 'runs', 'Untuk pengujian 😀', 'v'.repeat(200)),
});

/** More than the requests that delete them. */
const TO_DELETE = 12;
/** Each takes five of the requests that rotate its secret. */
const TO_ROTATE = 6;

/** Values of the key under test, and others that requests may delete or rotate. */
export async function webhooksUnderTest(rest: Rest) {
  const made = await Promise.all(
    Array.from({ length: 1 + TO_ROTATE + TO_DELETE }, () => testedWebhook(rest)),
  );
  const valuesOf = (saved: typeof made): WebhookValues => ({
    webhooks: saved.map(({ webhook_id }) => webhook_id),
    deliveries: saved.map(({ delivery_id }) => delivery_id),
  });
  return {
    kept: valuesOf(made.slice(0, 1)),
    toRotate: valuesOf(made.slice(1, 1 + TO_ROTATE)),
    toDelete: valuesOf(made.slice(1 + TO_ROTATE)),
  };
}
