import type { ApiKey } from '#proto/saring/keys/v1/keys.ts';
import { jakartaDay, jakartaSecond } from '#foundation/jakarta-time.ts';
import { terminalText } from '#foundation/text/terminal-text.ts';
import { facts, table } from '../terminal/output.ts';

const NONE = '-';

export function keysText(keys: ApiKey[]): string {
  return table(
    keys,
    {
      id: ({ id }) => id,
      name: ({ name }) => name,
      secret: ({ hint }) => `${hint}…`,
      scopes: ({ scopes }) => scopes.join(','),
      'per minute': ({ rate_limit_per_minute }) => rate_limit_per_minute,
      state: stateOf,
      issued: ({ created_at }) => (created_at ? jakartaDay(created_at) : NONE),
      expires: ({ expires_at }) => minuteOf(expires_at),
      'last used': ({ last_used_at }) => minuteOf(last_used_at),
      'old secret until': ({ previous_secret_until }) => minuteOf(previous_secret_until),
      labels: labelsOf,
    },
    'There is no key yet.',
  );
}

export function keyText(key: ApiKey): string {
  const { previous_secret_until: until } = key;
  return facts([
    ['id', key.id],
    ['name', key.name],
    ['state', stateOf(key)],
    ['market', key.test ? 'the test market' : 'the served market'],
    ['secret', `${key.hint}…${until ? `, and the previous one until ${minuteOf(until)}` : ''}`],
    ['scopes', key.scopes.join(', ')],
    ['per minute', key.rate_limit_per_minute],
    ['issued', minuteOf(key.created_at)],
    ['expires', key.expires_at ? minuteOf(key.expires_at) : 'never'],
    ['last used', key.last_used_at ? minuteOf(key.last_used_at) : 'never'],
    ['labels', labelsOf(key)],
  ]);
}

export function newSecretText(key: ApiKey, secret: string, baseUrl = '<base url>'): string {
  const { id, name, scopes, rate_limit_per_minute, expires_at, test } = key;
  const end = expires_at ? ` It expires ${minuteOf(expires_at)}.` : '';
  const market = test ? ' It sees the test market, which is generated and always the same.' : '';
  return [
    `Key ${id} for ${terminalText(name)}: ${scopes.join(', ')}; ${rate_limit_per_minute} requests a minute.${end}${market}`,
    ...secretLines(secret),
    '',
    'To try it, with the secret in KEY:',
    `  curl -H "Authorization: Bearer $KEY" ${baseUrl}/api/v1/scopes`,
  ].join('\n');
}

export function rotatedText({ id, previous_secret_until: until }: ApiKey, secret: string): string {
  const end = until
    ? `The previous secret works until ${minuteOf(until)}.`
    : 'The previous secret is refused in every gateway within a second.';
  return [`Key ${id} has a new secret. ${end}`, ...secretLines(secret)].join('\n');
}

function secretLines(secret: string): string[] {
  return ['Its secret is shown only once. Keep it on a server:', '', `  ${secret}`];
}

function stateOf({ disabled, expires_at }: ApiKey): string {
  if (expires_at && expires_at.getTime() <= Date.now()) return 'expired';
  return disabled ? 'disabled' : 'enabled';
}

function labelsOf({ labels }: ApiKey): string {
  const names = Object.keys(labels).toSorted();
  return names.length === 0 ? NONE : names.map((name) => `${name}=${labels[name]}`).join(' ');
}

const minuteOf = (moment: Date | undefined) =>
  moment ? `${jakartaSecond(moment).slice(0, 'YYYY-MM-DD hh:mm'.length)} WIB` : NONE;
