/**
 * Example of an internal service that reads the market over gRPC.
 *
 *   node_modules/.bin/node deploy/examples/read-market.ts             the market, and the stocks that rose most
 *   node_modules/.bin/node deploy/examples/read-market.ts qabo qubo   these stocks
 */
import { parseArgs } from 'node:util';
import { MarketDataServiceService } from '#proto/saring/market_data/v1/market_data.ts';
import { loadConfig } from '#platform/configuration/config.ts';
import { createGrpcClient, type ClientOptions, type ServiceClient } from '#platform/grpc/client.ts';
import { randomId } from '#foundation/ids.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { grpcTlsSettings } from '#platform/configuration/settings.ts';
import { textTable } from '#foundation/text/text-table.ts';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const MOVERS = 5;
const LOOKBACK_DAYS = 10;

/** One request id for all calls of a piece of work. It appears in the log of every service involved. */
const call = { requestId: randomId('req') };

try {
  const { positionals: tickers } = parseArgs({ allowPositionals: true });
  const connection: ClientOptions = {
    address: marketDataAddress(),
    // The default deadline of each call. A call can override it: `{ ...call, timeoutMs: 10_000 }`.
    timeoutMs: 2_000,
    // The error code that callers see while market-data does not answer.
    unavailableCode: 'data_unavailable',
    // Plain text on loopback; mutual TLS when GRPC_TLS_CA, GRPC_TLS_CERT and GRPC_TLS_KEY are set.
    tls: loadConfig(grpcTlsSettings),
  };
  await withMarket(connection, (market) => report(market, tickers));
} catch (error) {
  process.exitCode = 1;
  console.error(error instanceof ServiceError ? errorText(error) : (error as Error).message);
}

/** A client holds one connection and reconnects automatically. Create one for each process and close it at the end. */
async function withMarket(
  connection: ClientOptions,
  work: (market: ServiceClient<typeof MarketDataServiceService>) => Promise<void>,
): Promise<void> {
  const market = createGrpcClient(MarketDataServiceService, connection);
  try {
    await work(market);
  } finally {
    market.close();
  }
}

async function report(
  market: ServiceClient<typeof MarketDataServiceService>,
  wanted: string[],
): Promise<void> {
  const overview = await market.getMarketOverview({}, call);
  const { breadth, date, regime, regime_score, dataset_version } = overview;
  console.log(
    `${date}: ${regime}, score ${regime_score}; ${breadth?.advancing} up, ${breadth?.declining} down.`,
  );
  console.log(`From dataset ${dataset_version}.\n`);

  const gainers = overview.top_gainers.slice(0, MOVERS).map(({ ticker }) => ticker);
  const tickers = wanted.length > 0 ? wanted : gainers;
  const [{ quotes }, { turning_points, missing }] = await Promise.all([
    market.getQuotes({ tickers }, call),
    market.listTurningPoints({ tickers, lookback: LOOKBACK_DAYS }, call),
  ]);
  // Fields that are optional in proto are undefined when unknown. A stock that did not trade today has no quote.
  const rows = turning_points.map(({ ticker, signal, ret_10d_pct }) => [
    ticker,
    String(quotes[ticker]?.close ?? '-'),
    percent(quotes[ticker]?.change_pct),
    percent(ret_10d_pct),
    signal,
  ]);
  console.log(textTable(['Ticker', 'Close', 'Today', '10 days', 'Signal'], rows).join('\n'));
  if (missing.length > 0) console.log(`\nWithout data: ${missing.join(', ')}`);
}

function percent(value: number | undefined): string {
  return value === undefined ? '-' : `${value.toFixed(1)}%`;
}

/** Branch on `code`, which is the same over REST. The message is for people; `detail` names the wrong fields. */
function errorText({ code, message, detail }: ServiceError): string {
  const fields = detail.map(({ loc, msg }) => `\n  ${loc.join('.')} ${msg}`);
  return `${code}: ${message}${fields.join('')}\n(request ${call.requestId})`;
}

/**
 * The address of market-data: MARKET_DATA_ADDRESS, which every service of the fleet reads, or else the address in the
 * `fleet.json` of a fleet on this machine.
 * @throws Error that says what to do
 */
function marketDataAddress(env: NodeJS.ProcessEnv = process.env): string {
  if (env['MARKET_DATA_ADDRESS']) return env['MARKET_DATA_ADDRESS'];
  const file = path.resolve(env['STATE_DIR'] || '.saring', 'fleet.json');
  try {
    const fleet = JSON.parse(readFileSync(file, 'utf8')) as { addresses: { market_data: string } };
    return fleet.addresses.market_data;
  } catch (cause) {
    throw new Error(`${file} names no fleet: start one with 'make run', or set MARKET_DATA_ADDRESS.`, {
      cause,
    });
  }
}
