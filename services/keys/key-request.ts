import type { FieldError } from '#shared/service-error.ts';
import type { Labels } from './store/tables.ts';

export interface NewKey {
  name: string;
  scopes: string[];
  rateLimitPerMinute?: number | undefined;
  /** Never when absent. */
  expiresAt?: Date | undefined;
  labels: Labels;
}

/** What to change of a key; what is absent stays. */
export interface KeyUpdate {
  name?: string | undefined;
  scopes?: string[] | undefined;
  rateLimitPerMinute?: number | undefined;
  expiresAt?: Date | undefined;
  neverExpires: boolean;
  /** Labels to add or replace; an empty value takes the label away. */
  labels: Labels;
}

const MAX_LABELS = 20;
const MAX_LABEL_LENGTH = 64;
/** What a protobuf timestamp can no longer hold. */
const YEAR_10000 = new Date(Date.UTC(10_000, 0));
/** They would mislead in a terminal, and the database stores no NUL. */
const CONTROL_CHARACTER = /\p{Cc}/u;

/** What depends on the clock and on the labels; the rest stands in the rules of the request. */
export function mistakesOfNewKey(request: NewKey, now: Date): FieldError[] {
  return [
    ...mistakesOfExpiry(request.expiresAt, now),
    ...Object.entries(request.labels).flatMap(([name, value]) => [
      ...mistakesOfText(['labels', name], name, 1, MAX_LABEL_LENGTH),
      ...mistakesOfText(['labels', name], value, 1, MAX_LABEL_LENGTH),
    ]),
    ...mistakesOfLabelCount(request.labels),
  ];
}

/** @param labels the key's labels as they would be after the update */
export function mistakesOfUpdate(request: KeyUpdate, labels: Labels, now: Date): FieldError[] {
  const { name, scopes, rateLimitPerMinute, expiresAt, neverExpires } = request;
  const asksNothing = [name, scopes, rateLimitPerMinute, expiresAt].every((field) => field === undefined);
  if (asksNothing && !neverExpires && Object.keys(request.labels).length === 0)
    return [{ loc: ['request'], msg: 'asks for no change', type: 'missing' }];
  const both: FieldError = {
    loc: ['never_expires'],
    msg: 'excludes expires_at',
    type: 'value_error',
    input: true,
  };
  return [
    ...mistakesOfExpiry(expiresAt, now),
    ...(neverExpires && expiresAt ? [both] : []),
    ...Object.entries(request.labels).flatMap(([label, value]) => [
      ...mistakesOfText(['labels', label], label, 1, MAX_LABEL_LENGTH),
      ...mistakesOfText(['labels', label], value, 0, MAX_LABEL_LENGTH),
    ]),
    ...mistakesOfLabelCount(labels),
  ];
}

/** Labels with others added or in their place; an empty value takes one away. */
export function mergedLabels(labels: Labels, others: Labels): Labels {
  return Object.fromEntries(Object.entries({ ...labels, ...others }).filter(([, value]) => value !== ''));
}

function mistakesOfExpiry(expiresAt: Date | undefined, now: Date): FieldError[] {
  if (expiresAt === undefined || (expiresAt > now && expiresAt < YEAR_10000)) return [];
  const msg = 'must be in the future, and before the year 10000';
  return [{ loc: ['expires_at'], msg, type: 'value_error', input: expiresAt }];
}

function mistakesOfLabelCount(labels: Labels): FieldError[] {
  if (Object.keys(labels).length <= MAX_LABELS) return [];
  return [{ loc: ['labels'], msg: `must be at most ${MAX_LABELS}`, type: 'too_long' }];
}

function mistakesOfText(loc: FieldError['loc'], text: string, min: number, max: number): FieldError[] {
  if (CONTROL_CHARACTER.test(text))
    return [{ loc, msg: 'must hold no control characters', type: 'string_pattern_mismatch', input: text }];
  const fits = text === '' ? min === 0 : text.trim() !== '' && text.length <= max;
  if (fits) return [];
  const type = text.length > max ? 'string_too_long' : 'string_too_short';
  return [{ loc, msg: `must have ${min} to ${max} characters`, type, input: text }];
}
