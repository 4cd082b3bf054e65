import { syncedTables, type ClickHouseMigration } from '#platform/clickhouse/tables.ts';

/** Corporate actions of a version, and the adjustment by which days before they were known must be seen. */
export const corporateActions: ClickHouseMigration = {
  name: '030_corporate_actions',
  statements: [
    {
      create: 'market.corporate_action',
      columns: `
      dataset_version LowCardinality(String),
      ticker LowCardinality(String),
      kind LowCardinality(String),
      ex_date Date COMMENT 'first day under the new terms',
      known_on Date COMMENT 'nothing computed as of an earlier day uses it',
      ratio Nullable(Float64) COMMENT 'shares after it for one share before',
      amount Nullable(Float64) COMMENT 'IDR for a share',
      new_ticker String,
      board String,
      index_name String,
      membership LowCardinality(String) COMMENT 'joined or left',
      source String,
      note String,
      status LowCardinality(String) COMMENT 'stated, confirmed, or overruled: detected, but the table says otherwise',
      applied_on Nullable(Date) COMMENT 'bar before which it restates prices'`,
      engine: 'MergeTree',
      order: `PARTITION BY dataset_version ORDER BY (dataset_version, ticker, ex_date, kind)`,
      shardedBy: 'ticker',
    },
    /*
     * An action can become known after its day. Runs and answers as of a day before that see the bar as it was adjusted
     * without it.
     */
    {
      create: 'market.late_factor',
      columns: `
      dataset_version LowCardinality(String),
      ticker LowCardinality(String),
      date Date,
      known_on Date COMMENT 'from this day on the factors in market.daily_bar apply',
      factor Float64 COMMENT 'what applies before',
      share_factor Float64`,
      engine: 'MergeTree',
      order: `PARTITION BY dataset_version ORDER BY (dataset_version, ticker, date)`,
      shardedBy: 'ticker',
    },
    ...syncedTables(['market.corporate_action', 'market.late_factor']),
  ],
};
