import type { ClickHouseMigration } from '#shared/clickhouse/tables.ts';

/** Who acted through the channel. For runs recorded before this column existed, that is the key. */
export const eventActor: ClickHouseMigration = {
  name: '003_event_actor',
  statements: [
    // Thousands of keys and schedules, plus chat users. A dictionary stays smaller than plain text well beyond that.
    {
      alter: 'usage.event',
      columns: `ADD COLUMN IF NOT EXISTS actor LowCardinality(String) DEFAULT api_key_id AFTER channel`,
    },
  ],
};
