import { integer } from '#platform/configuration/config.ts';
import { retentionDays } from '#platform/configuration/retention-days.ts';
import {
  trustedCallerSettings,
  clickhouseSettings,
  cursorSettings,
  grpcSettings,
  processSettings,
  natsSettings,
  operatorSettings,
} from '#platform/configuration/settings.ts';

export const settings = {
  ...processSettings,
  ...grpcSettings,
  ...trustedCallerSettings,
  ...operatorSettings,
  ...natsSettings,
  ...clickhouseSettings,
  ...cursorSettings,
  USAGE_RETENTION_DAYS: retentionDays()({
    default: 180,
    desc: 'days to keep usage; 0 keeps it for ever',
  }),
  USAGE_CEILING_ROWS: integer({ min: 0, max: 1_000_000_000 })({
    default: 500_000,
    desc: 'maximum number of runs in the usage ledger; beyond it, the oldest are removed; 0 keeps all',
  }),
};
