import { DatasetServiceService } from '#proto/saring/market_data/v1/datasets.ts';
import { createGrpcClient, type ServiceClient } from '#shared/grpc/client.ts';
import type { TlsSettings } from '#shared/grpc/credentials.ts';
import { randomId } from '#shared/ids.ts';

const TIMEOUT_MS = 2_000;

/**
 * The trading days of the served dataset, so that a run says from its submission on which day it is to analyse. What was
 * read last stays known while market-data is away. A day that has just come in may be missing for a moment: the run
 * analyses it all the same, and says so once it has.
 */
export class TradingDays {
  readonly #client: ServiceClient<DatasetServiceService>;
  #version = '';
  /** YYYY-MM-DD, ascending. */
  #days: readonly string[] = [];

  constructor(address: string, tls: TlsSettings) {
    this.#client = createGrpcClient(DatasetServiceService, {
      address,
      unavailableCode: 'data_unavailable',
      timeoutMs: TIMEOUT_MS,
      tls,
    });
  }

  /** Reads them when another version is served. */
  async refresh(): Promise<void> {
    const known = { known_version: this.#version };
    const { version, days } = await this.#client.listTradingDays(known, { requestId: randomId('req') });
    if (version === this.#version) return;
    this.#version = version;
    this.#days = days;
  }

  /** The last one on or before a day (YYYY-MM-DD); undefined when none is known. */
  onOrBefore(date: string): string | undefined {
    return this.#days.findLast((day) => day <= date);
  }

  /** Those from one day to another (YYYY-MM-DD), both included, ascending. */
  between(from: string, to: string): string[] {
    return this.#days.filter((day) => day >= from && day <= to);
  }

  /** The first and the last; undefined while none are known. */
  get span(): { first: string; last: string } | undefined {
    const [first, last] = [this.#days[0], this.#days.at(-1)];
    return first !== undefined && last !== undefined ? { first, last } : undefined;
  }

  close(): void {
    this.#client.close();
  }
}
