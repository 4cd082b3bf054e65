import { identityOf, startService, type ServiceProcess } from '../processes/service-process.ts';
import type { TestMarketData } from '../services/test-market-data.ts';

/** Starts the feed on a PostgreSQL, with a file that declares its sources, for the market of a test. */
export function startFeed(
  databaseUrl: string,
  sourcesFile: string,
  { natsServer, address }: TestMarketData,
  more: Record<string, string> = {},
): Promise<ServiceProcess> {
  return startService('feed', {
    DATABASE_URL: databaseUrl,
    NATS_URL: natsServer.urlOf('feed'),
    MARKET_DATA_ADDRESS: address,
    MARKET_DATA_TOKEN: identityOf('feed').token,
    FEED_SOURCES: sourcesFile,
    ...more,
  });
}
