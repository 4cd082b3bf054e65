import { str } from 'envalid';
import { integer, type Config } from '#platform/configuration/config.ts';
import { retentionDays } from '#platform/configuration/retention-days.ts';
import {
  calendarSettings,
  generatedMarketSettings,
  grpcSettings,
  natsSettings,
  operatorSettings,
  postgresSettings,
  processSettings,
  serviceAddress,
  serviceToken,
} from '#platform/configuration/settings.ts';

export const settings = {
  ...processSettings,
  ...grpcSettings,
  ...operatorSettings,
  ...postgresSettings,
  ...natsSettings,
  ...calendarSettings,
  ...generatedMarketSettings,
  MARKET_DATA_ADDRESS: serviceAddress('market-data'),
  MARKET_DATA_TOKEN: serviceToken('market-data'),
  FEED_SOURCES: str({
    default: '',
    desc: 'JSON file that declares where market data comes from; see docs/feeds.md. Only the generator when empty',
  }),
  KEEP_VERSIONS: integer({ min: 2, max: 1_000 })({
    default: 10,
    desc: 'number of newest dataset versions that the feed keeps, besides those of the last hour and those that are in use',
  }),
  FETCH_RETENTION_DAYS: retentionDays()({
    default: 365,
    desc: 'days to keep the log of fetches; 0 keeps it for ever',
  }),
};
export type FeedConfig = Config<typeof settings>;
