import { setTimeout as sleep } from 'node:timers/promises';
import type { Dataset, ListDatasetsResponse } from '#proto/saring/market_data/v1/datasets.ts';
import { saring } from '#support/fleets/saring-cli.ts';
import { addDay, fileOfNextDay, type Stock } from '#support/markets/next-day.ts';

const PAUSE_MS = 3_000;
const RETRY_MS = 1_000;

/** An operator who adds one trading day after another, repeating each import until it is acknowledged. */
export class ChaosImporter {
  /** Versions whose import was acknowledged. */
  readonly versions: string[] = [];
  failures = 0;
  /** The last day of the newest acknowledged version, YYYY-MM-DD. */
  lastDate: string;
  readonly #stateDir: string;
  readonly #folder: string;
  readonly #stocks: Stock[];
  #running = true;
  readonly #finished: Promise<void>;

  /** @param places the folders of the fleet's state and for the files to import */
  constructor(places: { stateDir: string; folder: string }, stocks: Stock[], lastDate: string) {
    [this.#stateDir, this.#folder] = [places.stateDir, places.folder];
    this.#stocks = stocks;
    this.lastDate = lastDate;
    this.#finished = this.#addDays();
  }

  /** Call while the fleet works: an import in progress is repeated until it is acknowledged. */
  async stop(): Promise<void> {
    this.#running = false;
    await this.#finished;
  }

  /** Acknowledged versions that the fleet lacks, and whether it serves another day than the newest of them. */
  async lost(): Promise<string[]> {
    const { code, stdout, stderr } = await saring(this.#stateDir, 'dataset', 'list', '--json');
    if (code !== 0) throw new Error(stderr);
    const { datasets, served_version } = JSON.parse(stdout) as ListDatasetsResponse;
    const served = datasets.find(({ version }) => version === served_version);
    return [
      ...this.versions.filter((version) => datasets.every((dataset) => dataset.version !== version)),
      ...(served?.last_date === this.lastDate ? [] : [`${this.lastDate}, as the day that is served`]),
    ];
  }

  async #addDays(): Promise<void> {
    while (this.#running) {
      const file = await fileOfNextDay(this.lastDate, this.#stocks, this.#folder);
      const { version, last_date } = await this.#untilImported(file);
      this.versions.push(version);
      this.lastDate = last_date;
      await sleep(PAUSE_MS);
    }
  }

  async #untilImported(file: string): Promise<Dataset> {
    for (;;) {
      const added = await addDay(this.#stateDir, file).catch(() => undefined);
      if (added) return added;
      this.failures++;
      await sleep(RETRY_MS);
    }
  }
}
