import type { ApiKey } from '#proto/saring/keys/v1/keys.ts';
import { jakartaDay, jakartaSecond } from '#shared/jakarta-time.ts';
import { terminalText } from '#shared/text/terminal-text.ts';
import { textTable } from '#shared/text/text-table.ts';

const NONE = '-';

/** A key as JSON for scripts: absent fields are null. */
export function keyDocument({ expires_at, last_used_at, previous_secret_until, ...key }: ApiKey) {
  return {
    ...key,
    expires_at: expires_at ?? null,
    last_used_at: last_used_at ?? null,
    previous_secret_until: previous_secret_until ?? null,
  };
}

/** `keyDocument` with the secret, which is shown only once. */
export function newSecretDocument(key: ApiKey, secret: string) {
  return { ...keyDocument(key), secret };
}

export function keysText(keys: ApiKey[]): string {
  const columns = ['id', 'name', 'secret', 'scopes', 'per minute', 'state', 'issued'];
  const rows = keys.map((key) => [
    key.id,
    key.name,
    `${key.hint}…`,
    key.scopes.join(','),
    key.rate_limit_per_minute,
    stateOf(key),
    dayOf(key.created_at),
    minuteOf(key.expires_at),
    minuteOf(key.last_used_at),
    minuteOf(key.previous_secret_until),
    labelsOf(key),
  ]);
  return textTable([...columns, 'expires', 'last used', 'old secret until', 'labels'], rows).join('\n');
}

export function keyText(key: ApiKey): string {
  const { previous_secret_until: until } = key;
  const facts = [
    ['id', key.id],
    ['name', key.name],
    ['state', stateOf(key)],
    ['market', key.test ? 'the test market' : 'the served market'],
    ['secret', `${key.hint}…${until ? `, and the previous one until ${minuteOf(until)}` : ''}`],
    ['scopes', key.scopes.join(', ')],
    ['per minute', String(key.rate_limit_per_minute)],
    ['issued', minuteOf(key.created_at)],
    ['expires', key.expires_at ? minuteOf(key.expires_at) : 'never'],
    ['last used', key.last_used_at ? minuteOf(key.last_used_at) : 'never'],
    ['labels', labelsOf(key)],
  ];
  return facts.map(([name, value]) => `  ${name!.padEnd(12)}${terminalText(String(value))}`).join('\n');
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

const dayOf = (moment: Date | undefined) => (moment ? jakartaDay(moment) : NONE);

const minuteOf = (moment: Date | undefined) =>
  moment ? `${jakartaSecond(moment).slice(0, 'YYYY-MM-DD hh:mm'.length)} WIB` : NONE;
