import type { ClickHouseMigration } from '#shared/clickhouse/tables.ts';

/** Who acted through the channel. Of runs recorded before it was, the key did. */
export const eventActor: ClickHouseMigration = {
  name: '003_event_actor',
  statements: [
    // Keys and schedules by the thousand and who writes in a chat; a dictionary beats plain text well beyond that.
    {
      alter: 'usage.event',
      columns: `ADD COLUMN IF NOT EXISTS actor LowCardinality(String) DEFAULT api_key_id AFTER channel`,
    },
  ],
};
