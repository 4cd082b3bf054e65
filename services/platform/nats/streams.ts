import {
  DiscardPolicy,
  JetStreamApiError,
  RetentionPolicy,
  StorageType,
  type JetStreamManager,
  type StreamConfig,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { subjects } from './subjects.ts';

/** The live tier: how long results are kept, and how many at most. */
export interface ResultLimits {
  retentionMs: number;
  ceiling: number;
}

/** The defaults of the contract. */
export const RESULT_LIMITS: ResultLimits = { retentionMs: 3_600_000, ceiling: 500 };
/** Room for results that arrive while the models service removes others; beyond it the stream drops the oldest of all. */
const RESULTS_ON_THEIR_WAY = 50;
/**
 * Results are also limited to this much memory, which NATS reserves: a result of the full view can have several megabytes. The
 * oldest results are removed first; their jobs are then answered from the ledger.
 */
export const RESULT_CEILING_BYTES = 256 * 1024 * 1024;

/**
 * What runs have trained: some hundreds of kilobytes each. Kept a little longer than results, so that a client that still shows
 * a result can find its model.
 */
const ARTEFACTS_OUTLAST_RESULTS_MS = 5 * 60_000;
export const ARTEFACT_CEILING_BYTES = 128 * 1024 * 1024;

/**
 * Models that workers train, about a megabyte each, so that one worker can reuse what another has trained. The oldest are
 * removed first, which costs only the time to learn them again.
 */
const MODEL_CACHE_CEILING_BYTES = 64 * 1024 * 1024;
const MODEL_CACHE_RETENTION_MS = 3_600_000;

/** A repeated message id within this window is dropped. Longer than any sweeper waits before it publishes again. */
const DUPLICATE_WINDOW_MS = 10 * 60_000;
/** The window of the server's defaults, which may not be longer than messages are kept, also when a stream is updated. */
const USUAL_DUPLICATE_WINDOW_MS = 2 * 60_000;
const EVENT_RETENTION_MS = 7 * 24 * 3_600_000;

/** How long the turn of a copy outlasts the copy. An import waits this long for the turn of a copy that crashed. */
export const LEASE_EXPIRY_MS = 5_000;

type Stream = Partial<StreamConfig> & { name: string; subjects: string[] };

/**
 * Every stream, by the service that declares it. No other service may declare it. File storage survives a crash of NATS, but
 * for RUNS the source of truth is PostgreSQL.
 */
const streams = ({ retentionMs, ceiling }: ResultLimits): Record<string, Stream[]> => ({
  models: [
    {
      name: 'RUNS',
      subjects: ['runs.>'],
      retention: RetentionPolicy.Workqueue,
      storage: StorageType.File,
      duplicate_window: nanos(DUPLICATE_WINDOW_MS),
    },
    {
      name: 'RUN_EVENTS',
      subjects: ['run_events.*.*'],
      storage: StorageType.File,
      max_age: nanos(EVENT_RETENTION_MS),
      duplicate_window: nanos(DUPLICATE_WINDOW_MS),
    },
    {
      name: 'RESULTS',
      subjects: ['results.*'],
      storage: StorageType.Memory,
      max_age: nanos(retentionMs),
      duplicate_window: nanos(Math.min(retentionMs, USUAL_DUPLICATE_WINDOW_MS)),
      max_msgs: ceiling + RESULTS_ON_THEIR_WAY,
      max_bytes: RESULT_CEILING_BYTES,
      max_msgs_per_subject: 1,
      discard: DiscardPolicy.Old,
      allow_direct: true,
    },
    {
      name: 'ARTEFACTS',
      subjects: ['artefacts.*'],
      storage: StorageType.Memory,
      max_age: nanos(retentionMs + ARTEFACTS_OUTLAST_RESULTS_MS),
      max_msgs: ceiling + RESULTS_ON_THEIR_WAY,
      max_bytes: ARTEFACT_CEILING_BYTES,
      max_msgs_per_subject: 1,
      discard: DiscardPolicy.Old,
      allow_direct: true,
    },
    {
      name: 'LESSONS',
      subjects: ['lessons.*'],
      storage: StorageType.Memory,
      max_age: nanos(MODEL_CACHE_RETENTION_MS),
      max_bytes: MODEL_CACHE_CEILING_BYTES,
      max_msgs_per_subject: 1,
      discard: DiscardPolicy.Old,
      allow_direct: true,
    },
    {
      name: 'BACKFILLS',
      subjects: ['backfills.>'],
      retention: RetentionPolicy.Workqueue,
      storage: StorageType.File,
      duplicate_window: nanos(DUPLICATE_WINDOW_MS),
    },
    {
      name: 'BACKFILL_PAGES',
      subjects: ['backfill_pages.*'],
      retention: RetentionPolicy.Workqueue,
      storage: StorageType.File,
      duplicate_window: nanos(DUPLICATE_WINDOW_MS),
    },
    {
      name: 'USAGE',
      subjects: ['usage.*'],
      retention: RetentionPolicy.Workqueue,
      storage: StorageType.File,
      duplicate_window: nanos(DUPLICATE_WINDOW_MS),
    },
    {
      name: 'SCREEN_RUNS',
      subjects: [subjects.screenRun],
      retention: RetentionPolicy.Workqueue,
      storage: StorageType.File,
      duplicate_window: nanos(DUPLICATE_WINDOW_MS),
    },
    {
      name: 'EVENTS',
      subjects: [subjects.event('*')],
      retention: RetentionPolicy.Workqueue,
      storage: StorageType.File,
      duplicate_window: nanos(DUPLICATE_WINDOW_MS),
    },
    // Only for probing: a successful write shows that the disk accepts data.
    {
      name: 'STORAGE_PROBES',
      subjects: ['storage_probes.*'],
      storage: StorageType.File,
      max_msgs: 1,
      discard: DiscardPolicy.Old,
    },
  ],
  'market-data': [
    {
      name: 'DATASETS',
      subjects: [subjects.datasetServed],
      storage: StorageType.File,
      max_msgs_per_subject: 1,
      discard: DiscardPolicy.Old,
    },
    // In a file, so that a restart of NATS does not admit a second copy beside the first.
    {
      name: 'DATASET_TURNS',
      subjects: [subjects.datasetLease],
      storage: StorageType.File,
      max_age: nanos(LEASE_EXPIRY_MS),
      max_msgs_per_subject: 1,
      discard: DiscardPolicy.Old,
    },
  ],
});

export function streamsOf(service: string, results = RESULT_LIMITS): Stream[] {
  return streams(results)[service] ?? [];
}

/**
 * The only service that may change an existing stream. A user with this permission could fill a stream from any other stream of
 * the server (`sources`); this service owns nearly all of them anyway.
 */
export const CHANGES_STREAMS = 'models';

/** JetStream's code for a stream that exists with other settings. */
const NAME_IN_USE = 10_058;

/** JetStream's codes for a stream that exceeds the limits of the account or the server. */
const NO_ROOM: Record<number, string> = {
  10_023: 'memory or storage',
  10_028: 'memory',
  10_047: 'storage',
};

/**
 * Creates the missing streams of the service and, where it may, updates the others to the settings above. All its processes may
 * call this at the same time.
 * @param replicas of each stream, in a cluster
 * @param results how long results are kept, and how many
 * @throws Error naming a stream that exceeds the limits of JetStream
 */
export async function declareStreams(
  jsm: JetStreamManager,
  service: string,
  replicas: number,
  results?: ResultLimits,
): Promise<void> {
  for (const stream of streamsOf(service, results)) {
    const wanted = { ...stream, num_replicas: replicas };
    try {
      await jsm.streams.add(wanted);
    } catch (error) {
      if (!(error instanceof JetStreamApiError)) throw error;
      if (error.code !== NAME_IN_USE) throw roomFor(wanted, error) ?? error;
      if (service === CHANGES_STREAMS) await jsm.streams.update(stream.name, wanted);
    }
  }
}

function roomFor(stream: Stream, error: JetStreamApiError): Error | undefined {
  const lacking = NO_ROOM[error.code];
  if (!lacking) return undefined;
  const size = stream.max_bytes ? `up to ${stream.max_bytes / 1024 ** 2} MiB` : 'some room';
  const message =
    `JetStream has too little ${lacking} for the stream ${stream.name}, which needs ${size} on each of ` +
    `${stream.num_replicas} servers; raise max_memory_store or max_file_store`;
  return new Error(message, { cause: error });
}
