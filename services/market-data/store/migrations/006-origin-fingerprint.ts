import type { ClickHouseMigration } from '#shared/clickhouse/tables.ts';

/** A start that names a file must not undo what has been added to the dataset made from it. */
export const originFingerprint: ClickHouseMigration = {
  name: '006_origin_fingerprint',
  statements: [
    {
      alter: 'market.dataset',
      columns: `ADD COLUMN IF NOT EXISTS origin_fingerprint String COMMENT 'of the files it began with, whatever was added since'`,
    },
  ],
};
