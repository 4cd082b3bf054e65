/** The subjects of the service, each with what travels on it (`proto/saring/events/v1`). */
export const subjects = {
  /** RunRequested. */
  run: (modelId: string) => `runs.${modelId}`,
  /** RunStarted. */
  runStarted: (jobId: string) => `run_events.${jobId}.started`,
  /** RunFinished. */
  runFinished: (jobId: string) => `run_events.${jobId}.finished`,
  /** RunResult. */
  result: (jobId: string) => `results.${jobId}`,
  /** RunArtefact. */
  artefact: (jobId: string) => `artefacts.${jobId}`,
  /** What workers learn, in a form of their own; named by the SHA-256 of what it follows from. */
  lesson: (name: string) => `lessons.${name}`,
  /** BackfillDayRequested. */
  backfillDay: (backfillId: string) => `backfills.${backfillId}`,
  /** BackfillDayEnded. */
  backfillPage: (backfillId: string) => `backfill_pages.${backfillId}`,
  /** UsageRecorded. */
  usage: (status: string) => `usage.${status}`,
  /** A few bytes that show that JetStream can store. */
  storageProbe: (from: string) => `storage_probes.${from}`,
  /** ServedDataset, the last one alone: what is to be served, besides what ClickHouse knows of it. */
  datasetServed: 'datasets.served',
  /** Which copy of market-data may change the store, in a form of its own. */
  datasetTurn: 'dataset_turns.store',
  /** RunHeartbeat; core NATS, not stored. */
  runHeartbeats: 'heartbeats.runs',
  /** Job id as text, after the row of that job changed; core NATS, not stored. */
  jobChanged: 'changed.job',
  /** Job id as text, when the run is to be given up; said again until it has ended; core NATS, not stored. */
  runCancelled: 'cancelled.run',
  /** Key id as text, after a key changed; core NATS, not stored. */
  keyChanged: 'changed.key',
  /** Version label as text, after a dataset was published; core NATS, not stored. */
  datasetPublished: 'changed.dataset',
};

/** Below it the service gets the answers to its requests, and no other service may listen. */
export function inboxOf(service: string): string {
  return `_INBOX.${service}`;
}
