import { str } from 'envalid';
import { integer, type Config } from '#shared/config/config.ts';
import {
  grpcSettings,
  operatorSettings,
  postgresSettings,
  processSettings,
  serviceAddress,
  serviceToken,
} from '#shared/config/settings.ts';

export const settings = {
  ...processSettings,
  ...grpcSettings,
  ...operatorSettings,
  ...postgresSettings,
  MARKET_DATA_ADDRESS: serviceAddress('market-data'),
  MARKET_DATA_TOKEN: serviceToken('market-data'),
  FEED_SOURCES: str({
    default: '',
    desc: 'JSON file that declares where market data comes from; see docs/feeds.md. Only the generator when empty',
  }),
  GENERATED_MARKET_PACE: str({
    choices: ['off', 'calendar', 'accelerated'],
    default: 'off',
    desc: 'when a generated market gets its next day: never, on each trading day of the exchange, or every SYNTHETIC_DAY_SECONDS',
  }),
  SYNTHETIC_DAY_SECONDS: integer({ min: 5, max: 86_400 })({
    default: 10,
    desc: 'seconds for each day of a generated market whose pace is accelerated',
  }),
  KEEP_VERSIONS: integer({ min: 2, max: 1_000 })({
    default: 10,
    desc: 'number of newest dataset versions that the feed keeps, besides those of the last hour and those that are in use',
  }),
  FETCH_RETENTION_DAYS: integer({ min: 0, max: 36_500 })({
    default: 365,
    desc: 'days to keep the log of fetches; 0 keeps it for ever',
  }),
};
export type FeedConfig = Config<typeof settings>;
