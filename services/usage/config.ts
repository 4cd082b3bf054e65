import { integer, rotatedSecret } from '#shared/config/config.ts';
import {
  trustedCallerSettings,
  clickhouseSettings,
  grpcSettings,
  processSettings,
  natsSettings,
  operatorSettings,
} from '#shared/config/settings.ts';

export const settings = {
  ...processSettings,
  ...grpcSettings,
  ...trustedCallerSettings,
  ...operatorSettings,
  ...natsSettings,
  ...clickhouseSettings,
  CURSOR_SECRET: rotatedSecret({
    desc: 'secret under which page cursors are signed; of several, separated by commas, the first signs and all are accepted',
  }),
  USAGE_RETENTION_DAYS: integer({ min: 0, max: 36_500 })({
    default: 180,
    desc: 'days for which usage is kept; 0 keeps it for ever',
  }),
  USAGE_CEILING_ROWS: integer({ min: 0, max: 1_000_000_000 })({
    default: 500_000,
    desc: 'runs kept in the usage ledger, beyond which the oldest are removed; 0 keeps all',
  }),
};
