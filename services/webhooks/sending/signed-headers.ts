import { Webhook } from 'standardwebhooks';
import type { SecretBox } from '../secrets.ts';
import type { WebhookRow } from '../store/webhook-store.ts';

const USER_AGENT = 'Saring-Webhooks/1.0';

type Secrets = Pick<WebhookRow, 'webhook_id' | 'secret' | 'previous_secret' | 'previous_secret_until'>;

/**
 * The headers of an attempt, signed as the Standard Webhooks specification asks. While a secret is being replaced, the one before
 * signs too, so that a receiver that knows either accepts the request.
 */
export function signedHeaders(
  { webhook_id, secret, previous_secret, previous_secret_until }: Secrets,
  secrets: Pick<SecretBox, 'decrypt'>,
  { id, body, at }: { id: string; body: string; at: Date },
) {
  const isRotating = previous_secret !== null && previous_secret_until! > at;
  const signatures = [secret, ...(isRotating ? [previous_secret] : [])].map((stored) =>
    new Webhook(secrets.decrypt(stored, webhook_id)).sign(id, at, body),
  );
  return {
    'content-type': 'application/json',
    'user-agent': USER_AGENT,
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    signature: signatures.join(' '),
  };
}
