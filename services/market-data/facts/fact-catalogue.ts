import { fieldsWith, type Fields } from '#fields/catalogue/catalogue.ts';
import { factField } from '#fields/catalogue/facts.ts';
import type { Logger } from '#shared/logger.ts';
import { ServiceError } from '#shared/service-error.ts';
import { orUnavailable } from '../store/clickhouse-away.ts';
import type { FactStore, FactVersion, StoredFact } from './fact-store.ts';

const POLL_MS = 5_000;

/** The fields that rules can name. */
export interface KnownFields {
  fields: Fields;
  /** Those whose values are imported, by name. */
  facts: ReadonlyMap<string, StoredFact>;
}

/**
 * Follows which facts are stored. Another copy of the service may have changed them, so it looks every few seconds, and at once when
 * rules name a field that it does not know.
 */
export class FactCatalogue {
  readonly #store: Pick<FactStore, 'newest'>;
  readonly #log: Logger;
  #version: number | undefined;
  #known: KnownFields | undefined;
  #running: Promise<KnownFields> | undefined;
  /** Begins when the running look ends. */
  #next: Promise<KnownFields> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isAway = false;

  constructor(store: Pick<FactStore, 'newest'>, log: Logger) {
    this.#store = store;
    this.#log = log;
  }

  start(): void {
    this.#timer ??= setInterval(() => void this.#poll(), POLL_MS);
    void this.#poll();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** @throws ServiceError data_unavailable until the facts have been read once */
  async get(): Promise<KnownFields> {
    return this.#known ?? this.refresh();
  }

  /**
   * The newest fields, or what this copy knows while the store is away.
   * @throws ServiceError data_unavailable until the facts have been read once
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
    const newest = await orUnavailable(this.#store.newest());
    if (!this.#known || newest.version !== this.#version) {
      this.#known = knownFields(newest);
      this.#version = newest.version;
    }
    return this.#known;
  }

  async #poll(): Promise<void> {
    try {
      await this.refresh();
      this.#isAway = false;
    } catch (error) {
      if (!this.#isAway) this.#log.warn({ reason: (error as Error).message }, 'facts cannot be read');
      this.#isAway = true;
    }
  }
}

export function knownFields({ facts }: Pick<FactVersion, 'facts'>): KnownFields {
  return {
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
  catalogue: Pick<FactCatalogue, 'get' | 'refresh'>,
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
