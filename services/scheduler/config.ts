import type { Config } from '#shared/config.ts';
import {
  grpcSettings,
  logSettings,
  operatorSettings,
  postgresSettings,
  serviceAddress,
} from '#shared/settings.ts';

export const settings = {
  ...logSettings,
  ...grpcSettings,
  ...operatorSettings,
  ...postgresSettings,
  KEYS_ADDRESS: serviceAddress('keys'),
  MARKET_DATA_ADDRESS: serviceAddress('market-data'),
  MODELS_ADDRESS: serviceAddress('models'),
};

export type SchedulerConfig = Config<typeof settings>;
