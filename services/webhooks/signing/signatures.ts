import type { Updateable } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { jakartaDateTime } from '#foundation/jakarta-time.ts';
import type { WebhookTable } from '../store/tables.ts';
import type { WebhookRow } from '../store/webhook-store.ts';
import { DAY_MS } from '#foundation/iso-day.ts';
import type { SecretBox } from './secrets.ts';

/** How long a replaced secret goes on signing, so that receivers can change theirs meanwhile. */
const REPLACED_SIGNS_MS = DAY_MS;
/** Replaced secrets that sign at the same time. Each is one more signature in every request. */
const MAX_REPLACED = 5;

type Secrets = Pick<WebhookRow, 'secret' | 'previous_secret' | 'previous_secret_until' | 'older_secrets'>;

/** The replaced secrets, encrypted, that sign at this moment, the newest first. */
function replacedSecrets(
  { previous_secret, previous_secret_until, older_secrets }: Omit<Secrets, 'secret'>,
  at: Date,
): { secret: string; until: Date }[] {
  const newest = previous_secret === null ? [] : [{ secret: previous_secret, until: previous_secret_until! }];
  const older = older_secrets.map(({ secret, until }) => ({ secret, until: new Date(until) }));
  return [...newest, ...older].filter(({ until }) => until > at);
}

/**
 * What changes when a webhook gets a new secret. Those that were replaced before keep their time: whoever rotates twice, because the
 * new secret leaked or by mistake, still has receivers that know only the first.
 * @param secret encrypted
 * @throws ServiceError invalid_request if too many were replaced within that time
 */
export function withNewSecret(webhook: Secrets, secret: string, now: Date): Updateable<WebhookTable> {
  const older = replacedSecrets(webhook, now);
  if (older.length >= MAX_REPLACED)
    throw new ServiceError(
      'invalid_request',
      `The last ${MAX_REPLACED} secrets of the webhook still sign. It can have a new one from ${jakartaDateTime(older.at(-1)!.until)} on.`,
    );
  return {
    secret,
    previous_secret: webhook.secret,
    previous_secret_until: new Date(now.getTime() + REPLACED_SIGNS_MS),
    older_secrets: JSON.stringify(older),
  };
}

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
