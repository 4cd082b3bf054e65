import { syncedTables, type ClickHouseMigration } from '#platform/clickhouse/tables.ts';
import {
  durationsPerDayV1,
  errorsPerDayV1,
  errorsPerDayV2,
  keysPerDayV1,
  runsPerDayV1,
} from '../views/days.ts';
import { endUserCohortsV1, endUsersV1 } from '../views/end-users.ts';
import { pickV1, pickV2, picksByTickerV1, picksByTickerV2 } from '../views/picks.ts';
import { runV1, runV2, runV3 } from '../views/runs.ts';

/** Each one after those that it reads. */
const ANALYST_VIEWS = [
  runV1,
  runV2,
  runsPerDayV1,
  durationsPerDayV1,
  errorsPerDayV1,
  pickV1,
  picksByTickerV1,
  keysPerDayV1,
  endUsersV1,
  endUserCohortsV1,
  runV3,
  pickV2,
  picksByTickerV2,
  errorsPerDayV2,
];

/**
 * The ledger: one row per run, written when the run starts and replaced by its final state. Until ClickHouse merges
 * them, both rows are on the disk, so every reader must use FINAL or read `run_v1`.
 */
export const initial: ClickHouseMigration = {
  name: '021_initial',
  statements: [
    {
      create: 'usage.event',
      columns: `
      -- 'ue_' and random hex: does not compress below half, and is read for every event of a page.
      event_id String CODEC(ZSTD(1)),
      -- When the run was accepted, the same in both states of a run, so that both meet in one partition and merge.
      -- Rows lie in time order within a key: differences are small numbers.
      ts DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
      -- A handful of values, like models and states.
      channel LowCardinality(String),
      -- Who acted through the channel. Thousands of keys and schedules, plus chat users. A dictionary stays smaller than
      -- plain text well beyond that.
      actor LowCardinality(String) DEFAULT api_key_id,
      -- Thousands at most, and first in the sort key: one key's history is one contiguous range.
      api_key_id LowCardinality(String),
      -- Namespaced by key and chosen by applications: can be millions, which a dictionary would not help.
      end_user String CODEC(ZSTD(1)),
      model_id LowCardinality(String),
      -- JSON exactly as the model received it. Not the JSON type: that would reorder keys and retype numbers.
      -- The same few texts over and over, so a stronger compression pays.
      params String CODEC(ZSTD(3)),
      status LowCardinality(String),
      duration_seconds Float64 CODEC(ZSTD(1)),
      -- NULL: the run has not succeeded, which is not the same as no picks.
      pick_count Nullable(UInt32),
      -- Best first; about a thousand tickers exist.
      tickers Array(LowCardinality(String)),
      target_date Nullable(Date),
      -- Which dataset a run read, and why it failed or was interrupted.
      dataset_version LowCardinality(String),
      dataset_kind LowCardinality(String),
      error_code LowCardinality(String),
      job_id String CODEC(ZSTD(1)),
      request_id String CODEC(ZSTD(1)),
      -- 1 started, 2 final. A redelivered 'started' never replaces a final state.
      state_version UInt8,
      -- One event is looked up by its id alone, without its time.
      INDEX by_event_id event_id TYPE bloom_filter(0.01) GRANULARITY 1`,
      engine: 'ReplacingMergeTree(state_version)',
      order: `-- FINAL merges within a partition only: months that are merged already are read as they are, and expired months
    -- are dropped whole. More, smaller partitions would make the newest page of a key open more files.
    PARTITION BY toYYYYMM(ts)
    ORDER BY (api_key_id, ts, event_id)
    -- An insert repeated with its token within the last thousand is recognised and stored once.
    SETTINGS non_replicated_deduplication_window = 1000`,
      shardedBy: 'api_key_id',
    },
    /*
     * ClickHouse merges a month into one part when nothing was added to it for an hour. FINAL then has nothing to merge,
     * which halves the cost of counting the runs of past months, for one key or for all. A late event starts the hour
     * again.
     */
    {
      alter: 'usage.event',
      storage: `MODIFY SETTING
      min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1`,
    },
    // The stream deletes what the sink acknowledges, so a power cut must not lose those rows here.
    ...syncedTables(['usage.event']),
    ...ANALYST_VIEWS,
  ],
};
