import { fieldsWith, type Fields } from '#fields/catalogue/catalogue.ts';
import { factField } from '#fields/catalogue/facts.ts';
import { MISTAKES } from '#fields/rules/mistakes.ts';
import { closest } from '#fields/rules/suggestion.ts';
import { refuse } from '#foundation/errors/invalid-request.ts';
import type { Logger } from '#platform/operations/logger.ts';
import { ServiceError, type FieldError } from '#foundation/errors/service-error.ts';
import { orUnavailable } from '../store/clickhouse-unavailable.ts';
import type { FactStore, FactVersion, StoredFact } from '../store/fact-store.ts';
import type { ModelResultStore, StoredResults } from '../model-results/model-result-store.ts';

const POLL_MS = 5_000;

/** The fields that rules can name, and what is stored of those whose values are stored. */
export interface KnownFields {
  fields: Fields;
  /** Fields whose values are imported, by name. */
  facts: ReadonlyMap<string, StoredFact>;
  /** The daily results of a model in a kind of market; undefined before the first one. */
  resultsOf: (kind: string, modelId: string) => StoredResults | undefined;
}

interface Stores {
  facts: Pick<FactStore, 'newest'>;
  results: Pick<ModelResultStore, 'all'>;
}

/**
 * Follows which facts and which results of models are stored. Another copy of the service may have changed them, so it looks every few
 * seconds, and at once when rules name a field that it does not know.
 */
export class FieldCatalogue {
  readonly #stores: Stores;
  readonly #log: Logger;
  #seen = '';
  #known: KnownFields | undefined;
  #running: Promise<KnownFields> | undefined;
  /** Begins when the running look ends. */
  #next: Promise<KnownFields> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isUnavailable = false;

  constructor(stores: Stores, log: Logger) {
    this.#stores = stores;
    this.#log = log;
  }

  start(): void {
    this.#timer ??= setInterval(() => void this.#poll(), POLL_MS);
    void this.#poll();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** @throws ServiceError data_unavailable until what is stored has been read once */
  async get(): Promise<KnownFields> {
    return this.#known ?? this.refresh();
  }

  /**
   * The newest fields, or what this copy knows while the store is unavailable.
   * @throws ServiceError data_unavailable until what is stored has been read once
   */
  newest(): Promise<KnownFields> {
    return this.refresh().catch(() => this.get());
  }

  /**
   * Looks now, after a look that is running, because that one may have read too early. Returns the same object if nothing changed.
   * However many wait, one look serves all of them.
   * @throws ServiceError data_unavailable
   */
  refresh(): Promise<KnownFields> {
    this.#next ??= this.#afterRunning();
    return this.#next;
  }

  async #afterRunning(): Promise<KnownFields> {
    await this.#running?.catch(() => {});
    this.#running = this.#next;
    this.#next = undefined;
    return this.#look();
  }

  async #look(): Promise<KnownFields> {
    const { facts, results } = this.#stores;
    const [newest, stored] = await orUnavailable(Promise.all([facts.newest(), results.all()]));
    const seen = JSON.stringify([newest.version, stored]);
    if (!this.#known || seen !== this.#seen) {
      this.#known = knownFields(newest, stored);
      this.#seen = seen;
    }
    return this.#known;
  }

  async #poll(): Promise<void> {
    try {
      await this.refresh();
      this.#isUnavailable = false;
    } catch (error) {
      if (!this.#isUnavailable)
        this.#log.warn({ reason: (error as Error).message }, 'stored fields cannot be read');
      this.#isUnavailable = true;
    }
  }
}

export function knownFields(
  { facts }: Pick<FactVersion, 'facts'>,
  results: readonly StoredResults[] = [],
): KnownFields {
  const nameOf = (kind: string, modelId: string) => `${kind} ${modelId}`;
  const stored = new Map(results.map((of) => [nameOf(of.dataset_kind, of.model_id), of]));
  return {
    resultsOf: (kind, modelId) => stored.get(nameOf(kind, modelId)),
    fields: fieldsWith(facts.map((fact) => factField(fact, fact.known_from))),
    facts: new Map(facts.map((fact) => [fact.name, fact])),
  };
}

/**
 * Does work with the known fields. If it refuses its input, which may name a field of which this copy has not heard yet, it is done
 * again with the newest ones.
 * @throws ServiceError what the work throws with the newest fields
 */
export async function withNewest<T>(
  catalogue: Pick<FieldCatalogue, 'get' | 'refresh'>,
  work: (known: KnownFields) => T,
): Promise<T> {
  const known = await catalogue.get();
  try {
    return work(known);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'invalid_request') throw error;
    const newest = await catalogue.refresh();
    if (newest === known) throw error;
    return work(newest);
  }
}

/**
 * @param member of the request that has the names
 * @throws ServiceError invalid_request naming each name that no field has
 */
export function requireFields(names: readonly string[], fields: Fields, member = 'columns'): void {
  const unknown = [...names.entries()].filter(([, name]) => !fields.has(name));
  refuse(
    unknown.map(([at, name]): FieldError => {
      const params = { name, meant: closest(name, fields.keys()) };
      const ctx = { mistake: 'no_field', params };
      return { loc: [member, at], msg: MISTAKES.no_field(params), type: 'value_error', input: name, ctx };
    }),
  );
}
