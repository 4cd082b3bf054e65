import { integer, type Config } from '#platform/configuration/config.ts';
import { retentionDays } from '#platform/configuration/retention-days.ts';
import {
  grpcSettings,
  processSettings,
  operatorSettings,
  postgresSettings,
  serviceAddress,
  serviceToken,
} from '#platform/configuration/settings.ts';

export const settings = {
  ...processSettings,
  ...grpcSettings,
  ...operatorSettings,
  ...postgresSettings,
  KEYS_ADDRESS: serviceAddress('keys'),
  KEYS_TOKEN: serviceToken('keys'),
  MARKET_DATA_ADDRESS: serviceAddress('market-data'),
  MODELS_ADDRESS: serviceAddress('models'),
  MODELS_TOKEN: serviceToken('models'),
  FIRING_RETENTION_DAYS: retentionDays()({
    default: 730,
    desc: 'days to keep the outcome of a scheduled run; 0 keeps it for ever',
  }),
  HELD_UP_MINUTES: integer({ min: 0, max: 10_080 })({
    default: 15,
    desc: 'minutes that a schedule waits while the served market ends before the day that it has come to, as after a return to an older version; then it goes on from the newest day of that market',
  }),
};

export type SchedulerConfig = Config<typeof settings>;
