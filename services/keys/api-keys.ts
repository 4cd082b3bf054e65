import type { Clock } from '#foundation/clock.ts';
import { type IdSource, pepperId } from '#foundation/ids.ts';
import { refuse } from '#foundation/errors/invalid-request.ts';
import { notPlain } from '#platform/wire/plain-text.ts';
import { SCOPES, type Scope } from '#shared/scopes.ts';
import { isTestKey } from '#foundation/test-market.ts';
import { ServiceError, type FieldError } from '#foundation/errors/service-error.ts';
import type { ActionName, Initiator, KeyAction } from './store/key-action.ts';
import { hashSecret, hintOf, newSecret } from './secret.ts';
import type { KeyChanges } from './store/key-changes.ts';
import type { KeyFields, KeyRow, KeyStore } from './store/key-store.ts';
import type { Labels } from './store/tables.ts';

interface ApiKeysDependencies {
  store: KeyStore;
  changes: KeyChanges;
  clock: Clock;
  newId: IdSource;
  /** New secrets are hashed under the first pepper. */
  peppers: readonly [string, ...string[]];
  defaultRateLimit: number;
  /** Notifies every gateway that its cached data of this key is out of date. */
  announceChange: (keyId: string) => void;
}

export interface KeyWithSecret {
  key: KeyRow;
  secret: string;
}

/**
 * A change is retried only after another change of the key has succeeded, so the number of concurrent changes bounds retries.
 */
const MAX_ATTEMPTS = 20;

/** Issues and changes API keys, and records each change together with who asked for it. */
export class ApiKeys {
  readonly #deps: ApiKeysDependencies;

  constructor(deps: ApiKeysDependencies) {
    this.#deps = deps;
  }

  /** @throws ServiceError invalid_request naming each wrong field. */
  async create(request: NewKey, by: Initiator): Promise<KeyWithSecret> {
    const now = this.#deps.clock();
    refuse(mistakesOfNewKey(request, now));
    const { secret, stored } = this.#newSecret(request.test === true);
    const chosen = {
      name: request.name.trim(),
      scopes: inTableOrder(request.scopes),
      rate_limit_per_minute: request.rateLimitPerMinute ?? this.#deps.defaultRateLimit,
      expires_at: request.expiresAt ?? null,
      labels: request.labels,
    };
    const row = {
      ...chosen,
      id: this.#deps.newId(request.test ? 'key_test' : 'key'),
      created_at: now,
      disabled_at: null,
    };
    await this.#deps.changes.insert(row, stored, actionOf('created', chosen, by, now));
    const unused = { last_used_at: null, previous_secret_until: null, revision: 0 };
    return { key: { ...row, ...unused, hint: stored.hint }, secret };
  }

  list(): Promise<KeyRow[]> {
    return this.#deps.store.list(this.#deps.clock());
  }

  /** Ids of keys that may use a scope now, in their order. */
  withScope(scope: string, after: string, limit: number): Promise<string[]> {
    return this.#deps.store.withScope(scope, { after, limit, now: this.#deps.clock() });
  }

  async get(id: string): Promise<KeyRow> {
    return this.#find(id, this.#deps.clock());
  }

  /** Actions on one key, or on all, newest first. A key without actions and a key that never existed give the same response. */
  actions(id: string | undefined, limit: number): Promise<(KeyAction & { key_id: string })[]> {
    return this.#deps.store.actions(id, limit);
  }

  async update(id: string, request: KeyUpdate, by: Initiator): Promise<KeyRow> {
    return this.#change(id, async (key, now) => {
      const labels = mergedLabels(key.labels, request.labels);
      refuse([...mistakesOfScopes(request.scopes, isTestKey(id)), ...mistakesOfUpdate(request, labels, now)]);
      const fields: KeyFields = {
        ...(request.name !== undefined && { name: request.name.trim() }),
        ...(request.scopes !== undefined && { scopes: inTableOrder(request.scopes) }),
        ...(request.rateLimitPerMinute !== undefined && {
          rate_limit_per_minute: request.rateLimitPerMinute,
        }),
        ...(request.neverExpires && { expires_at: null }),
        ...(request.expiresAt && { expires_at: request.expiresAt }),
        ...(Object.keys(request.labels).length > 0 && { labels }),
      };
      const isDone = await this.#deps.changes.update(key, fields, actionOf('updated', fields, by, now));
      return isDone && { ...key, ...fields };
    });
  }

  /** The current secret works for `graceSeconds` more. An older secret keeps its own end if that is earlier. */
  async rotate(id: string, graceSeconds: number, by: Initiator): Promise<KeyWithSecret> {
    const { secret, stored } = this.#newSecret(isTestKey(id));
    const key = await this.#change(id, async (before, now) => {
      const until = new Date(now.getTime() + graceSeconds * 1_000);
      const action = actionOf('rotated', { previous_secret_until: until }, by, now);
      const isDone = await this.#deps.changes.rotate(before, stored, until, action);
      const previous_secret_until = graceSeconds > 0 ? until : null;
      return isDone && { ...before, hint: stored.hint, previous_secret_until };
    });
    return { key, secret };
  }

  /** A key that is already disabled keeps its original `disabled_at`. */
  disable(id: string, by: Initiator): Promise<KeyRow> {
    return this.#switch(id, 'disabled', by);
  }

  enable(id: string, by: Initiator): Promise<KeyRow> {
    return this.#switch(id, 'enabled', by);
  }

  /** Deletes the key and revokes all its secrets permanently. */
  async delete(id: string, by: Initiator): Promise<void> {
    await this.#change(id, async (key, now) => {
      const action = actionOf('deleted', { deleted: true }, by, now);
      return (await this.#deps.changes.delete(key, action)) && key;
    });
  }

  #switch(id: string, to: 'disabled' | 'enabled', by: Initiator): Promise<KeyRow> {
    return this.#change(id, async (key, now) => {
      const fields = { disabled_at: to === 'disabled' ? (key.disabled_at ?? now) : null };
      const action = actionOf(to, { disabled: to === 'disabled' }, by, now);
      return (await this.#deps.changes.update(key, fields, action)) && { ...key, ...fields };
    });
  }

  /** Reads, decides and writes. Starts again when another change of the key came in between. */
  async #change(id: string, write: (key: KeyRow, now: Date) => Promise<KeyRow | false>): Promise<KeyRow> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const now = this.#deps.clock();
      const key = await this.#find(id, now);
      const changed = await write(key, now).catch((error: unknown) => {
        // The change may have been made although its answer was lost.
        this.#deps.announceChange(id);
        throw error;
      });
      if (!changed) continue;
      this.#deps.announceChange(id);
      return changed;
    }
    throw new ServiceError('data_unavailable', `Another request is changing the key ${id}. Try again.`);
  }

  async #find(id: string, now: Date): Promise<KeyRow> {
    const key = await this.#deps.store.find(id, now);
    if (!key) throw new ServiceError('not_found', `There is no key ${id}.`);
    return key;
  }

  #newSecret(isOfTestKey: boolean) {
    const secret = newSecret(isOfTestKey ? 'test key' : 'key');
    const [pepper] = this.#deps.peppers;
    const stored = {
      secret_hash: hashSecret(secret, pepper),
      hint: hintOf(secret),
      pepper_id: pepperId(pepper),
    };
    return { secret, stored };
  }
}

/** The scopes in the order of the scope table, without duplicates. */
function inTableOrder(scopes: string[]): string[] {
  return Object.keys(SCOPES).filter((scope) => scopes.includes(scope));
}

function actionOf(action: ActionName, changes: object, by: Initiator, ts: Date): KeyAction {
  return { ts, action, ...by, changes: { ...changes } };
}

interface NewKey {
  name: string;
  scopes: string[];
  rateLimitPerMinute?: number | undefined;
  /** The key never expires when absent. */
  expiresAt?: Date | undefined;
  labels: Labels;
  /** Whether it is a test key, for good. */
  test?: boolean | undefined;
}

/** The fields to change; absent fields keep their value. */
interface KeyUpdate {
  name?: string | undefined;
  scopes?: string[] | undefined;
  rateLimitPerMinute?: number | undefined;
  expiresAt?: Date | undefined;
  neverExpires: boolean;
  /** Labels to add or replace. An empty value removes the label. */
  labels: Labels;
}

/** Shows the usage of all keys. */
const OPERATORS_SCOPE: Scope = 'usage:admin';
const MAX_LABELS = 20;
const MAX_LABEL_LENGTH = 64;
/** The first moment that a protobuf timestamp cannot hold. */
const YEAR_10000 = new Date(Date.UTC(10_000, 0));
/** The name that objects ignore, so that a label of this name would be lost. */
const LOST_LABEL = '__proto__';

/** Checks what depends on the clock or the labels. The rules of the request message check everything else. */
function mistakesOfNewKey(request: NewKey, now: Date): FieldError[] {
  return [
    ...mistakesOfScopes(request.scopes, request.test === true),
    ...mistakesOfExpiry(request.expiresAt, now),
    ...mistakesOfLabels(request.labels, { emptyRemoves: false }),
    ...mistakesOfLabelCount(request.labels),
  ];
}

/** @param labels the key's labels as they will be after the update */
function mistakesOfUpdate(request: KeyUpdate, labels: Labels, now: Date): FieldError[] {
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
    ...mistakesOfLabels(request.labels, { emptyRemoves: true }),
    ...mistakesOfLabelCount(labels),
  ];
}

/** The labels with others added or replaced. An empty value removes a label. */
function mergedLabels(labels: Labels, others: Labels): Labels {
  return Object.fromEntries(Object.entries({ ...labels, ...others }).filter(([, value]) => value !== ''));
}

/** Whoever tests an application sees nothing of what others do. */
function mistakesOfScopes(scopes: string[] | undefined, isTest: boolean): FieldError[] {
  if (!isTest || !scopes?.includes(OPERATORS_SCOPE)) return [];
  const msg = `must be without ${OPERATORS_SCOPE} for a test key`;
  return [{ loc: ['scopes'], msg, type: 'value_error', input: scopes }];
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

function mistakesOfLabels(labels: Labels, { emptyRemoves }: { emptyRemoves: boolean }): FieldError[] {
  return Object.entries(labels).flatMap(([name, value]) => {
    const loc = ['labels', name];
    if (name === LOST_LABEL)
      return [{ loc, msg: `must have another name than ${name}`, type: 'value_error' }];
    // A key may have a label from before these rules.
    if (emptyRemoves && value === '') return [];
    return [...mistakesOfText(loc, name), ...mistakesOfText(loc, value)];
  });
}

function mistakesOfText(loc: FieldError['loc'], text: string): FieldError[] {
  const mistakes = notPlain(loc, text);
  if (mistakes.length > 0 || (text.trim() !== '' && text.length <= MAX_LABEL_LENGTH)) return mistakes;
  const type = text.length > MAX_LABEL_LENGTH ? 'string_too_long' : 'string_too_short';
  return [{ loc, msg: `must have 1 to ${MAX_LABEL_LENGTH} characters`, type, input: text }];
}
