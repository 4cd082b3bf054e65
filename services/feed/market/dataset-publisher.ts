import { pack } from 'tar-stream';
import type {
  ContinueSampleRequest,
  DatasetServiceService,
  ImportHeader,
  ImportOutcome,
} from '#proto/saring/market_data/v1/datasets.ts';
import { uploadMessages } from '#shared/data-format/upload-messages.ts';
import type { ServiceClient } from '#platform/grpc/client.ts';
import { randomId } from '#foundation/ids.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import type { DataFile } from '../deliveries/delivery.ts';

/** Far longer than the import of a day with all broker rows takes. */
const IMPORT_TIMEOUT_MS = 600_000;
/** The caller that the record of served versions names. */
const ACTOR = 'feed';

type Datasets = Pick<ServiceClient<DatasetServiceService>, 'importDataset' | 'continueSample'>;

/** Publishes what sources bring, through the importer of market-data. */
export class DatasetPublisher {
  readonly #datasets: Datasets;

  constructor(datasets: Datasets) {
    this.#datasets = datasets;
  }

  /** @throws ServiceError import_rejected when the importer refuses the files */
  files(
    files: DataFile[],
    header: Omit<ImportHeader, 'sha256'>,
    signal: AbortSignal,
  ): Promise<ImportOutcome> {
    const messages = () => uploadMessages({ ...header, sha256: undefined }, packed(files));
    return this.#outcome((call) => this.#datasets.importDataset(messages(), call), signal);
  }

  /** @throws ServiceError import_rejected when another market is served by now */
  continued(request: ContinueSampleRequest, signal: AbortSignal): Promise<ImportOutcome> {
    return this.#outcome((call) => this.#datasets.continueSample(request, call), signal);
  }

  async #outcome(
    begin: (call: Parameters<Datasets['continueSample']>[1]) => ReturnType<Datasets['continueSample']>,
    signal: AbortSignal,
  ): Promise<ImportOutcome> {
    const call = { requestId: randomId('req'), actor: ACTOR, signal, timeoutMs: IMPORT_TIMEOUT_MS };
    for await (const { event } of begin(call)) {
      if (event?.$case === 'outcome') return event.value;
    }
    throw new ServiceError('data_unavailable', 'The import ended without an outcome.');
  }
}

/** Without owners and times, so that the same files always give the same bytes and fingerprint. */
function packed(files: DataFile[]): AsyncIterable<Buffer> {
  const archive = pack();
  for (const { path: name, bytes } of files) archive.entry({ name, mtime: new Date(0) }, bytes);
  archive.finalize();
  return archive as AsyncIterable<Buffer>;
}
