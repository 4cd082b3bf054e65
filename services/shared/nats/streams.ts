import {
  DiscardPolicy,
  RetentionPolicy,
  StorageType,
  type JetStreamManager,
  type StreamConfig,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';

/** The contract's live tier: results are kept this long, and no more than this many. */
export const RESULT_RETENTION_MS = 3_600_000;
export const RESULT_CEILING = 500;
/**
 * Nor more than this of the server's memory, which NATS sets aside for them: results of the full view may have some
 * megabytes each. The oldest go first, and their jobs are answered from the ledger.
 */
export const RESULT_CEILING_BYTES = 256 * 1024 * 1024;

/**
 * What runs have learnt: some hundreds of kilobytes each, kept a little longer than their results, so that whoever has
 * a result before him still finds its model.
 */
export const ARTEFACT_RETENTION_MS = RESULT_RETENTION_MS + 5 * 60_000;
export const ARTEFACT_CEILING_BYTES = 128 * 1024 * 1024;

/** A repeated message id within this window is dropped; longer than any sweeper waits before it publishes again. */
const DUPLICATE_WINDOW_MS = 10 * 60_000;
const EVENT_RETENTION_MS = 7 * 24 * 3_600_000;

type Stream = Partial<StreamConfig> & { name: string; subjects: string[] };

/** Every stream of the service. Files survive a crash of NATS; PostgreSQL is the truth behind RUNS all the same. */
const STREAMS: Stream[] = [
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
    name: 'USAGE',
    subjects: ['usage.*'],
    retention: RetentionPolicy.Workqueue,
    storage: StorageType.File,
    duplicate_window: nanos(DUPLICATE_WINDOW_MS),
  },
];

/** Creates what is missing and brings the rest to the settings above; safe to call from every process at once. */
export async function ensureStreams(jsm: JetStreamManager): Promise<void> {
  for (const stream of STREAMS) {
    try {
      await jsm.streams.add(stream);
    } catch {
      await jsm.streams.update(stream.name, stream);
    }
  }
}
