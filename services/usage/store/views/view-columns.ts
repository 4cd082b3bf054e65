/** Columns of a view with their type and meaning. */
export type Columns = Record<string, readonly [type: string, comment: string]>;

/** Type and comment of columns that mean the same in every view. */
export const EVENT_ID = ['String', 'id of the run in the ledger'] as const;
export const TS = ["DateTime64(3, 'UTC')", 'when the run was accepted'] as const;
export const JAKARTA_DAY = ['Date', 'day on which the runs were accepted, in Asia/Jakarta'] as const;
export const CHANNEL = [
  'LowCardinality(String)',
  'how the run came: api, scheduled, or what an internal caller names',
] as const;
export const ACTOR = [
  'LowCardinality(String)',
  'who acted through the channel: the key, the schedule, or whom an internal caller names',
] as const;
export const API_KEY_ID = [
  'LowCardinality(String)',
  'id of the key that the runs belong to, no secret',
] as const;
export const END_USER = [
  'String',
  'id that the application gave its user; known within its key only',
] as const;
export const MODEL_ID = ['LowCardinality(String)', 'model that was run'] as const;
export const STATUS = ['LowCardinality(String)', 'started, succeeded, failed or interrupted'] as const;

export const DATASET_VERSION = [
  'LowCardinality(String)',
  'version of the dataset that the run read; empty until it has ended, and where none is recorded',
] as const;
export const DATASET_KIND = [
  'LowCardinality(String)',
  'real or synthetic, the kind of that dataset; empty where it is not recorded, as for older runs',
] as const;
export const ERROR_CODE = [
  'LowCardinality(String)',
  'why the run failed or was interrupted, a fixed word; empty for other runs and for older ones',
] as const;

export const RUNS = ['UInt64', 'runs, whatever became of them'] as const;
export const STARTED = ['UInt64', 'of these, runs that have not ended'] as const;
export const SUCCEEDED = ['UInt64', 'of these, runs that succeeded'] as const;
export const FAILED = ['UInt64', 'of these, runs that failed or were cancelled'] as const;
export const INTERRUPTED = ['UInt64', 'of these, runs whose worker went away'] as const;
export const EMPTY_RESULTS = ['UInt64', 'of these, runs that succeeded and picked nothing'] as const;

/** The four counts by status, for the SELECT of a view that has these columns. */
export const STATUS_COUNTS = `countIf(status = 'started') AS started,
      countIf(status = 'succeeded') AS succeeded,
      countIf(status = 'failed') AS failed,
      countIf(status = 'interrupted') AS interrupted`;

/** End users of different keys are different people, even with equal ids. Runs without an end user do not count. */
export const DISTINCT_END_USERS = `uniqExactIf((api_key_id, end_user), end_user != '')`;
