import type { Migration } from 'kysely/migration';

export const runTradingDay: Migration = {
  async up(db) {
    await db.schema.alterTable('run').addColumn('trading_day', 'text').execute();
  },
};
