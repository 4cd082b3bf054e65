import { Webhook } from 'standardwebhooks';
import { replacedSecrets } from '../rotation.ts';
import type { SecretBox } from '../secrets.ts';
import type { WebhookRow } from '../store/webhook-store.ts';

const USER_AGENT = 'Saring-Webhooks/1.0';

/**
 * The headers of an attempt, signed as the Standard Webhooks specification asks. Replaced secrets sign too for a while, so that a
 * receiver that knows any of them accepts the request.
 */
export function signedHeaders(
  webhook: WebhookRow,
  secrets: Pick<SecretBox, 'decrypt'>,
  { id, body, at }: { id: string; body: string; at: Date },
) {
  const signatures = [webhook, ...replacedSecrets(webhook, at)].map(({ secret }) =>
    new Webhook(secrets.decrypt(secret, webhook.webhook_id)).sign(id, at, body),
  );
  return {
    'content-type': 'application/json',
    'user-agent': USER_AGENT,
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    signature: signatures.join(' '),
  };
}
