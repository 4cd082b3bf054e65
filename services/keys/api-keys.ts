import type { Clock } from '#shared/clock.ts';
import type { IdSource } from '#shared/ids.ts';
import { invalidRequest, outOfRange } from '#shared/invalid-request.ts';
import { isScope, SCOPES } from '#shared/scopes.ts';
import { ServiceError, type FieldError } from '#shared/service-error.ts';
import { hashSecret, hintOf, isWellFormed, newSecret } from './secret.ts';
import type { KeyRow, KeyStore } from './store/key-store.ts';

export interface NewKey {
  name: string;
  scopes: string[];
  rateLimitPerMinute?: number | undefined;
}

export interface ApiKeysDependencies {
  store: KeyStore;
  clock: Clock;
  newId: IdSource;
  pepper: string;
  defaultRateLimit: number;
  /** Tells every gateway that what it remembers of this key is out of date. */
  announceChange: (keyId: string) => void;
}

const MAX_NAME_LENGTH = 100;
const MAX_RATE_LIMIT = 1_000_000;

/** Issues API keys and tells whose secret one is. */
export class ApiKeys {
  readonly #deps: ApiKeysDependencies;

  constructor(deps: ApiKeysDependencies) {
    this.#deps = deps;
  }

  /** @throws ServiceError invalid_request naming each wrong field. */
  async create(wanted: NewKey): Promise<{ key: KeyRow; secret: string }> {
    refuseMistakes(wanted);
    const secret = newSecret();
    const key: KeyRow = {
      id: this.#deps.newId('key'),
      name: wanted.name.trim(),
      hint: hintOf(secret),
      scopes: Object.keys(SCOPES).filter((scope) => wanted.scopes.includes(scope)),
      rate_limit_per_minute: wanted.rateLimitPerMinute ?? this.#deps.defaultRateLimit,
      created_at: this.#deps.clock(),
      disabled_at: null,
    };
    await this.#deps.store.insert({ ...key, secret_hash: hashSecret(secret, this.#deps.pepper) });
    return { key, secret };
  }

  list(): Promise<KeyRow[]> {
    return this.#deps.store.list();
  }

  disable(id: string): Promise<KeyRow> {
    return this.#changed(id, this.#deps.store.setDisabled(id, this.#deps.clock()));
  }

  enable(id: string): Promise<KeyRow> {
    return this.#changed(id, this.#deps.store.setDisabled(id, null));
  }

  delete(id: string): Promise<KeyRow> {
    return this.#changed(id, this.#deps.store.delete(id, this.#deps.clock()));
  }

  /** @throws ServiceError invalid_api_key for an unknown, mistyped or revoked secret. */
  async authenticate(secret: string): Promise<KeyRow> {
    const key = isWellFormed(secret)
      ? await this.#deps.store.findByHash(hashSecret(secret, this.#deps.pepper))
      : undefined;
    if (!key) throw new ServiceError('invalid_api_key', 'The API key is unknown or has been revoked.');
    return key;
  }

  async #changed(id: string, change: Promise<KeyRow | undefined>): Promise<KeyRow> {
    const key = await change;
    if (!key) throw new ServiceError('not_found', `There is no key ${id}.`);
    this.#deps.announceChange(id);
    return key;
  }
}

function refuseMistakes({ name, scopes, rateLimitPerMinute }: NewKey): void {
  const detail: FieldError[] = [];
  if (name.trim() === '' || name.length > MAX_NAME_LENGTH) {
    detail.push({
      loc: ['name'],
      msg: `must have 1 to ${MAX_NAME_LENGTH} characters`,
      type: 'string_length',
    });
  }
  if (scopes.length === 0)
    detail.push({ loc: ['scopes'], msg: 'must name at least one scope', type: 'too_short' });
  for (const scope of scopes.filter((candidate) => !isScope(candidate))) {
    const msg = `'${scope}' is not a scope; there are ${Object.keys(SCOPES).join(', ')}`;
    detail.push({ loc: ['scopes'], msg, type: 'enum', input: scope });
  }
  if (rateLimitPerMinute !== undefined && (rateLimitPerMinute < 1 || rateLimitPerMinute > MAX_RATE_LIMIT)) {
    detail.push(outOfRange(['rate_limit_per_minute'], 1, MAX_RATE_LIMIT, rateLimitPerMinute));
  }
  if (detail.length > 0) throw invalidRequest(detail);
}
