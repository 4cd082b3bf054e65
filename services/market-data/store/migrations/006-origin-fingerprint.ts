import type { ClickHouseMigration } from '#shared/clickhouse/clickhouse.ts';

/** A start that names a file must not undo what has been added to the dataset made from it. */
export const originFingerprint: ClickHouseMigration = {
  name: '006_origin_fingerprint',
  statements: [
    `ALTER TABLE market.dataset
      ADD COLUMN IF NOT EXISTS origin_fingerprint String COMMENT 'of the files it began with, whatever was added since'`,
  ],
};
