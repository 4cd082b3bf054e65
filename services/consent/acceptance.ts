import type { RecordConsentRequest } from '#proto/saring/consent/v1/consent.ts';
import { idempotencyKeyMistake } from '#shared/idempotency.ts';
import { refuse } from '#shared/invalid-request.ts';
import type { FieldError } from '#shared/service-error.ts';
import type { Gate } from './store/consent-store.ts';

/** What a field may hold: nothing that the database could not store or a log would not show. */
const FORMS: Record<string, { pattern: RegExp; msg: string }> = {
  api_key_id: { pattern: /^[!-~]{1,64}$/, msg: 'must have 1 to 64 printable characters without spaces' },
  end_user: {
    pattern: /^[A-Za-z0-9._-]{1,64}$/,
    msg: 'must have 1 to 64 characters out of A-Z, a-z, 0-9, dot, underscore and hyphen',
  },
  locale: { pattern: /^[ -~]{0,35}$/, msg: 'must have at most 35 printable ASCII characters' },
  client_version: { pattern: /^[ -~]{0,64}$/, msg: 'must have at most 64 printable ASCII characters' },
};

/** @throws ServiceError invalid_request unless it says whose gate it is. */
export function requireGate({ api_key_id, end_user }: Gate): void {
  refuse(mistakesIn({ api_key_id, end_user }));
}

/** @throws ServiceError invalid_request naming every field that cannot be recorded. */
export function requireRecordable(request: RecordConsentRequest): void {
  const { api_key_id, end_user, locale, client_version, idempotency_key, submission_id } = request;
  const mistakes = mistakesIn({ api_key_id, end_user, locale, client_version });
  const ofKeys = Object.entries({ idempotency_key, submission_id }).map(([name, key]) =>
    key === undefined ? undefined : idempotencyKeyMistake(key, [name]),
  );
  refuse([...mistakes, ...ofKeys.filter((mistake) => mistake !== undefined)]);
}

function mistakesIn(fields: Record<string, string | undefined>): FieldError[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    const { pattern, msg } = FORMS[name]!;
    if (value === undefined || pattern.test(value)) return [];
    return [{ loc: [name], msg, type: 'string_pattern_mismatch', ctx: { pattern: pattern.source } }];
  });
}
