import { integer, type Config } from '#platform/configuration/config.ts';
import { retentionDays } from '#platform/configuration/retention-days.ts';
import {
  cursorSettings,
  grpcSettings,
  operatorSettings,
  natsSettings,
  postgresSettings,
  processSettings,
  serviceAddress,
  serviceToken,
  trustedCallerSettings,
} from '#platform/configuration/settings.ts';

const limit = integer({ min: 1, max: 1_000_000 });

export const settings = {
  ...processSettings,
  ...grpcSettings,
  ...trustedCallerSettings,
  ...operatorSettings,
  ...postgresSettings,
  ...cursorSettings,
  ...natsSettings,
  MARKET_DATA_ADDRESS: serviceAddress('market-data'),
  MARKET_DATA_TOKEN: serviceToken('market-data'),
  MODELS_ADDRESS: serviceAddress('models'),
  SCREENS_PER_END_USER: limit({ default: 200, desc: 'screens that an end user may own' }),
  SCREENS_PER_KEY: limit({ default: 2_000, desc: 'screens that the end users of a key may own together' }),
  WATCHLISTS_PER_END_USER: limit({ default: 50, desc: 'watchlists that an end user may own' }),
  WATCHLISTS_PER_KEY: limit({
    default: 2_000,
    desc: 'watchlists that the end users of a key may own together',
  }),
  SCREEN_CHANGES_RETENTION_DAYS: retentionDays()({
    default: 730,
    desc: 'days to keep who entered and left a screen; 0 keeps it for ever',
  }),
};

export type ScreensConfig = Config<typeof settings>;
