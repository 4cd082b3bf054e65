import { syncedTables, type ClickHouseMigration } from '#platform/clickhouse/tables.ts';

/** Values that an operator imports. They belong to no dataset version. */
export const facts: ClickHouseMigration = {
  name: '031_facts',
  statements: [
    /*
     * The values of a field are a partition, which never changes: an import writes all values of the fields that it changes anew,
     * under the name of the next edition. They exist once a row of `market.fact_catalogue` names that edition.
     */
    {
      create: 'market.fact',
      columns: `
      edition LowCardinality(String) COMMENT 'field.version; of the catalogue: those in its newest row',
      field LowCardinality(String),
      ticker LowCardinality(String) COMMENT 'as imported; a stock that is renamed later keeps its values',
      known_since Date COMMENT 'nothing computed as of an earlier day uses the value',
      value String COMMENT 'empty: withdrawn from this day on'`,
      engine: 'MergeTree',
      order: `PARTITION BY edition ORDER BY (edition, known_since, ticker)`,
      shardedBy: 'ticker',
    },
    // Append-only: the row with the highest version lists all fields as they are.
    {
      create: 'market.fact_catalogue',
      columns: `
      version UInt64,
      made_at DateTime64(3, 'UTC'),
      fields String COMMENT 'JSON list: declarations, editions and sizes of all fields'`,
      engine: 'MergeTree',
      order: `ORDER BY version`,
      shardedBy: 'version',
    },
    ...syncedTables(['market.fact', 'market.fact_catalogue']),
  ],
};
