import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { KeysServiceService, type ApiKey } from '#proto/saring/keys/v1/keys.ts';
import { DatasetServiceService, type Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import { CatalogueServiceService } from '#proto/saring/models/v1/catalogue.ts';
import { RunsServiceService, type Job, type SubmitRunRequest } from '#proto/saring/models/v1/runs.ts';
import type { GrpcServer, Handlers } from '#platform/grpc/server.ts';
import { randomId } from '#foundation/ids.ts';
import { invalidRequest } from '#foundation/errors/invalid-request.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { exampleNamed } from '../message-examples.ts';
import { handledBy } from '../grpc/every-service.ts';
import { quietServer } from '../processes/service-process.ts';
import type { Call } from '#platform/grpc/call-context.ts';

const MODEL = 'confluence_filter';
const POLL_AGAIN_MS = 50;
const DATASET = exampleNamed<Dataset>('market_data.v1.Dataset');
const JOB = exampleNamed<Job>('models.v1.Job');

type Part = 'keys' | 'models' | 'market-data';

const notNeeded = (): never => {
  throw new Error('the scheduler does not call this');
};

/**
 * Fakes for the services that the scheduler calls, on a real gRPC server: keys, models with idempotency keys, and a
 * dataset.
 */
export class SchedulerFakes {
  address = '';
  readonly keys = new Map<string, ApiKey>();
  /** Every submission that arrived, including those that started no run. */
  readonly submitted: SubmitRunRequest[] = [];
  /** Job ids of the runs that were started, by idempotency key. */
  readonly runs = new Map<string, string>();
  /** Idempotency keys under which no run starts any more. */
  readonly closed = new Set<string>();
  /** The newest trading day of the dataset; undefined while there is no dataset. */
  newestDay: string | undefined;
  market = 'real';
  /** How many attempts to watch the dataset came while it was unavailable. */
  refusedWatches = 0;
  /** Runs that name universes are refused. */
  hasNoUniverses = false;
  /** Unavailable parts: every call fails, or never returns. */
  readonly unavailable = new Map<Part, 'fails' | 'hangs'>();
  readonly #server: GrpcServer;

  constructor() {
    this.#server = quietServer()
      .add(KeysServiceService, this.#keysHandlers())
      .add(DatasetServiceService, this.#datasetHandlers())
      .add(CatalogueServiceService, this.#catalogueHandlers())
      .add(RunsServiceService, this.#runsHandlers());
  }

  async start(): Promise<void> {
    this.address = `127.0.0.1:${await this.#server.listen()}`;
  }

  stop(): Promise<void> {
    return this.#server.stop();
  }

  addKey(special: Partial<ApiKey> = {}): string {
    const id = randomId('key');
    const usual = { id, scopes: ['models:run'], disabled: false };
    this.keys.set(id, { ...exampleNamed<ApiKey>('keys.v1.ApiKey'), ...usual, ...special });
    return id;
  }

  /** Throws if the part is unavailable. If it hangs, waits until the caller has left. */
  async #whileHere(name: Part, { signal }: Call): Promise<void> {
    const how = this.unavailable.get(name);
    if (how === 'hangs' && !signal.aborted) await once(signal, 'abort');
    if (how)
      throw new ServiceError(name === 'models' ? 'model_unavailable' : 'data_unavailable', 'Try again.');
  }

  #keysHandlers(): Handlers<KeysServiceService> {
    return {
      ...handledBy(KeysServiceService, notNeeded),
      getKey: async ({ id }, call) => {
        await this.#whileHere('keys', call);
        const api_key = this.keys.get(id);
        if (!api_key) throw new ServiceError('not_found', `There is no key ${id}.`);
        return { api_key };
      },
    };
  }

  #catalogueHandlers(): Handlers<CatalogueServiceService> {
    return {
      ...handledBy(CatalogueServiceService, notNeeded),
      validateRun: async ({ model_id, params = {} }, call) => {
        await this.#whileHere('models', call);
        if (model_id !== MODEL) throw new ServiceError('model_not_found', 'There is no such model.');
        if (params['lookback'] === 0) {
          throw invalidRequest([
            { loc: ['body', 'params', 'lookback'], msg: 'must be at least 1', type: 'value_error' },
          ]);
        }
        return {};
      },
    };
  }

  #runsHandlers(): Handlers<RunsServiceService> {
    return {
      ...handledBy(RunsServiceService, notNeeded),
      closeIdempotencyKey: async ({ idempotency_key: key }, call) => {
        await this.#whileHere('models', call);
        this.closed.add(key);
        return { job_id: this.runs.get(key) };
      },
      submitRun: async (request, call) => {
        this.submitted.push(request);
        if (this.hasNoUniverses && request.params?.['tickers'])
          throw new ServiceError('not_found', "There is no universe 'LQ45'.");
        if (this.unavailable.get('models') === 'fails') await this.#whileHere('models', call);
        const key = request.idempotency_key!;
        const replayed = this.runs.has(key);
        if (!replayed && this.closed.has(key))
          throw new ServiceError('model_unavailable', 'Nothing begins under this key any more.');
        if (!replayed) this.runs.set(key, randomId('job'));
        // A part that hangs does so after it has accepted the run, the worst moment.
        await this.#whileHere('models', call);
        return { job: { ...JOB, job_id: this.runs.get(key)! }, replayed };
      },
    };
  }

  #datasetHandlers(): Handlers<DatasetServiceService> {
    const version = () => (this.newestDay ? `${this.market}-${this.newestDay.replaceAll('-', '')}-1` : '');
    return {
      ...handledBy(DatasetServiceService, notNeeded),
      getCurrentDataset: async (_request, call) => {
        await this.#whileHere('market-data', call);
        const last_date = this.newestDay;
        const dataset = last_date
          ? { ...DATASET, version: version(), kind: this.market, last_date, whole_until: last_date }
          : undefined;
        return { dataset, data_loaded: dataset !== undefined, lost_version: '' };
      },
      watchDataset: (_request, call) => this.#states(version, call),
    };
  }

  async *#states(version: () => string, call: Call) {
    const { signal } = call;
    while (!signal.aborted) {
      if (this.unavailable.has('market-data')) this.refusedWatches++;
      await this.#whileHere('market-data', call);
      yield { version: version(), today: '2026-11-20' };
      await sleep(POLL_AGAIN_MS, undefined, { signal }).catch(() => {});
    }
  }
}
