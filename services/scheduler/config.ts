import type { Config } from '#shared/config/config.ts';
import {
  grpcSettings,
  logSettings,
  operatorSettings,
  postgresSettings,
  serviceAddress,
  serviceToken,
} from '#shared/config/settings.ts';

export const settings = {
  ...logSettings,
  ...grpcSettings,
  ...operatorSettings,
  ...postgresSettings,
  KEYS_ADDRESS: serviceAddress('keys'),
  KEYS_TOKEN: serviceToken('keys'),
  MARKET_DATA_ADDRESS: serviceAddress('market-data'),
  MODELS_ADDRESS: serviceAddress('models'),
  MODELS_TOKEN: serviceToken('models'),
};

export type SchedulerConfig = Config<typeof settings>;
