import { integer, type Config } from '#shared/config/config.ts';
import {
  grpcSettings,
  processSettings,
  operatorSettings,
  postgresSettings,
  serviceAddress,
  serviceToken,
} from '#shared/config/settings.ts';

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
  FIRING_RETENTION_DAYS: integer({ min: 0, max: 36_500 })({
    default: 730,
    desc: 'days to keep the outcome of a scheduled run; 0 keeps it for ever',
  }),
};

export type SchedulerConfig = Config<typeof settings>;
