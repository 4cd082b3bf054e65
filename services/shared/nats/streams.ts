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

/** The contract's live tier: results are kept this long, and no more than this many. */
export const RESULT_RETENTION_MS = 3_600_000;
const RESULT_CEILING = 500;
/**
 * Nor more than this of the server's memory, which NATS sets aside for them: results of the full view may have some
 * megabytes each. The oldest go first, and their jobs are answered from the ledger.
 */
export const RESULT_CEILING_BYTES = 256 * 1024 * 1024;

/**
 * What runs have learnt: some hundreds of kilobytes each, kept a little longer than their results, so that whoever has
 * a result before him still finds its model.
 */
const ARTEFACT_RETENTION_MS = RESULT_RETENTION_MS + 5 * 60_000;
export const ARTEFACT_CEILING_BYTES = 128 * 1024 * 1024;

/**
 * Models that workers learn, about a megabyte each, so that one need not learn what another has. The oldest go first;
 * nothing is lost by it but the time to learn anew.
 */
const LESSON_CEILING_BYTES = 64 * 1024 * 1024;

/** A repeated message id within this window is dropped; longer than any sweeper waits before it publishes again. */
const DUPLICATE_WINDOW_MS = 10 * 60_000;
const EVENT_RETENTION_MS = 7 * 24 * 3_600_000;

/** How long the turn of a copy outlives it. An import that must wait for a dead one's waits so long. */
export const TURN_EXPIRY_MS = 5_000;

type Stream = Partial<StreamConfig> & { name: string; subjects: string[] };

/**
 * Every stream, by the service that declares it: no other may. Files survive a crash of NATS; PostgreSQL is the truth
 * behind RUNS all the same.
 */
const STREAMS: Record<string, Stream[]> = {
  models: [
    {
      name: 'RUNS',
      subjects: ['runs.*'],
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
      max_age: nanos(RESULT_RETENTION_MS),
      max_msgs: RESULT_CEILING,
      max_bytes: RESULT_CEILING_BYTES,
      max_msgs_per_subject: 1,
      discard: DiscardPolicy.Old,
      allow_direct: true,
    },
    {
      name: 'ARTEFACTS',
      subjects: ['artefacts.*'],
      storage: StorageType.Memory,
      max_age: nanos(ARTEFACT_RETENTION_MS),
      max_msgs: RESULT_CEILING,
      max_bytes: ARTEFACT_CEILING_BYTES,
      max_msgs_per_subject: 1,
      discard: DiscardPolicy.Old,
      allow_direct: true,
    },
    {
      name: 'LESSONS',
      subjects: ['lessons.*'],
      storage: StorageType.Memory,
      max_age: nanos(RESULT_RETENTION_MS),
      max_bytes: LESSON_CEILING_BYTES,
      max_msgs_per_subject: 1,
      discard: DiscardPolicy.Old,
      allow_direct: true,
    },
    {
      name: 'BACKFILLS',
      subjects: ['backfills.*'],
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
    // Written for its own sake: that a write succeeds shows that the disk takes what is accepted.
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
    // In a file, so that a restart of NATS lets no second copy in beside the first.
    {
      name: 'DATASET_TURNS',
      subjects: [subjects.datasetTurn],
      storage: StorageType.File,
      max_age: nanos(TURN_EXPIRY_MS),
      max_msgs_per_subject: 1,
      discard: DiscardPolicy.Old,
    },
  ],
};

export function streamsOf(service: string): Stream[] {
  return STREAMS[service] ?? [];
}

/**
 * The only service that may change a stream that exists. Whoever may can fill it from any other stream of the server
 * (`sources`); this one owns nearly all of them anyway.
 */
export const CHANGES_STREAMS = 'models';

/** JetStream's code for a stream that exists with other settings. */
const NAME_IN_USE = 10_058;

/** Its codes for a stream that the account's limits, or the server's, have no room for. */
const NO_ROOM: Record<number, string> = {
  10_023: 'memory or storage',
  10_028: 'memory',
  10_047: 'storage',
};

/**
 * Creates what is missing of the service's streams and, where it may, brings the rest to the settings above; safe to call
 * from all its processes at once.
 * @param replicas copies of each stream, in a cluster
 * @throws Error naming the stream that the limits of JetStream have no room for
 */
export async function declareStreams(
  jsm: JetStreamManager,
  service: string,
  replicas: number,
): Promise<void> {
  for (const stream of streamsOf(service)) {
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
