/** The subjects, each with the message that it carries (`proto/saring/events/v1`). */
export const subjects = {
  /** RunRequested. One subject for each job, so that the stream can refuse a second request for it. */
  run: (modelId: string, jobId: string) => `runs.${modelId}.${jobId}`,
  /** The same for a run that never trains, which workers take beside those that do. */
  quickRun: (modelId: string, jobId: string) => `runs.${modelId}.${jobId}.quick`,
  /** RunStarted. */
  runStarted: (jobId: string) => `run_events.${jobId}.started`,
  /** RunFinished. */
  runFinished: (jobId: string) => `run_events.${jobId}.finished`,
  /** RunResult. */
  result: (jobId: string) => `results.${jobId}`,
  /** RunArtefact. */
  artefact: (jobId: string) => `artefacts.${jobId}`,
  /** What workers learn, in their own format. The name is the SHA-256 of the inputs. */
  cachedModel: (name: string) => `lessons.${name}`,
  /** BackfillDayRequested. One subject for each day, so that the stream can refuse a second request for it. */
  backfillDay: (backfillId: string, day: string) => `backfills.${backfillId}.${day}`,
  /** BackfillDayRequested for any day, as earlier versions request it. */
  earlierBackfillDays: (backfillId: string) => `backfills.${backfillId}`,
  /** BackfillDayEnded. */
  backfillPage: (backfillId: string) => `backfill_pages.${backfillId}`,
  /** UsageRecorded. */
  usage: (status: string) => `usage.${status}`,
  /** ScreenRunRecorded. */
  screenRun: 'screen_runs.ran',
  /** EventTold. One subject for each service that tells, so that none can tell in the name of another. */
  event: (from: string) => `events.${from}`,
  /** A few bytes, to check that JetStream can store. */
  storageProbe: (from: string) => `storage_probes.${from}`,
  /** ServedDataset, only the last one: the dataset to be served, in addition to what ClickHouse stores about it. */
  datasetServed: 'datasets.served',
  /** Which copy of market-data may change the store, in its own format. */
  datasetLease: 'dataset_turns.store',
  /** RunHeartbeat; core NATS, not stored. */
  runHeartbeats: 'heartbeats.runs',
  /** WorkerHeartbeat; core NATS, not stored. */
  workerHeartbeats: 'heartbeats.workers',
  /** FeedHeartbeat; core NATS, not stored. */
  feedHeartbeats: 'heartbeats.feeds',
  /** Job id as text, after the row of that job changed; core NATS, not stored. */
  jobChanged: 'changed.job',
  /** Key id as text, after events of the key were stored; core NATS, not stored. */
  eventsStored: 'changed.events',
  /** Job id as text, to cancel the run; repeated until the run has ended; core NATS, not stored. */
  runCancelled: 'cancelled.run',
  /** Key id as text, after a key changed; core NATS, not stored. */
  keyChanged: 'changed.key',
  /** Version label as text, after a dataset was published; core NATS, not stored. */
  datasetPublished: 'changed.dataset',
};

/** The service gets the answers to its requests below this subject. No other service may listen there. */
export function inboxOf(service: string): string {
  return `_INBOX.${service}`;
}
