import type { ClickHouseMigration } from '#shared/clickhouse/tables.ts';

/** A service start with a configured file must not undo what was added to the dataset made from that file. */
export const originFingerprint: ClickHouseMigration = {
  name: '006_origin_fingerprint',
  statements: [
    {
      alter: 'market.dataset',
      columns: `ADD COLUMN IF NOT EXISTS origin_fingerprint String COMMENT 'of the files it began with, whatever was added since'`,
    },
  ],
};
