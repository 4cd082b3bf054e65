import type { Updateable } from 'kysely';
import { ServiceError } from '#shared/service-error.ts';
import { jakartaDateTime } from '#shared/jakarta-time.ts';
import type { WebhookTable } from './store/tables.ts';
import type { WebhookRow } from './store/webhook-store.ts';

/** How long a replaced secret goes on signing, so that receivers can change theirs meanwhile. */
const REPLACED_SIGNS_MS = 24 * 3_600_000;
/** Replaced secrets that sign at the same time. Each is one more signature in every request. */
const MAX_REPLACED = 5;

type Secrets = Pick<WebhookRow, 'secret' | 'previous_secret' | 'previous_secret_until' | 'older_secrets'>;

/** The replaced secrets, encrypted, that sign at this moment, the newest first. */
export function replacedSecrets(
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
