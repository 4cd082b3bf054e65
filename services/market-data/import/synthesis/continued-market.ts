import { createHash } from 'node:crypto';
import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import { rejected } from '../rejected.ts';
import { tradingDaysAfter } from '#synthetic-market/trading-calendar.ts';
import { rowsFrom } from '#synthetic-market/exchange-rows.ts';
import { generateMarketOn, type SyntheticTicker } from '#synthetic-market/generate-market.ts';
import { USUAL_ASSUMPTIONS } from '#shared/data-format/broker-layout.ts';
import { LAST_STORABLE_DAY } from '../rules/row-rules.ts';
import { filesOfMarket, GENERATOR_EDITION, type GeneratedSource } from './sample-market.ts';

interface VersionToContinue {
  dataset: Dataset;
  days: readonly string[];
}

/**
 * The days that follow a generated market, as files to add to it. The whole market is generated again for them: the default one
 * takes less than half a second of processor time, which is not worth keeping the state of every company for.
 *
 * The days of the version come from its rows and not from the calendar, so that a calendar that has changed since does not
 * change its past.
 * @throws ServiceError import_rejected when the version is not a generated market, or one of another edition
 */
export function continuedMarket(
  { dataset, days }: VersionToContinue,
  daysMore: number,
  signal: AbortSignal,
): GeneratedSource {
  const { version } = dataset;
  const generated = generatedFrom(dataset);
  const added = tradingDaysAfter(dataset.last_date, daysMore);
  if (added.at(-1)! > LAST_STORABLE_DAY) {
    throw rejected(`${version} cannot be continued past ${LAST_STORABLE_DAY}.`);
  }
  const market = {
    seed: generated.seed,
    tickers: generated.tickers,
    plannedDays: generated.planned_days,
  };
  const settings = JSON.stringify({ ...generated, from: dataset.fingerprint, added });
  return {
    kind: 'synthetic',
    source: `generator seed ${generated.seed}, ${daysMore} more ${daysMore === 1 ? 'day' : 'days'}`,
    sha256: () => createHash('sha256').update(settings).digest('hex'),
    adds: true,
    addsTo: version,
    generated,
    brokers: { synthesizes: false, ...USUAL_ASSUMPTIONS },
    files: filesOfMarket(lastDaysOf(generateMarketOn(market, [...days, ...added]), added[0]!), signal),
  };
}

function generatedFrom({ version, generated }: Dataset): NonNullable<Dataset['generated']> {
  if (!generated) {
    throw rejected(`${version} cannot be continued, because not all of its bars are generated.`);
  }
  if (generated.edition === GENERATOR_EDITION) return generated;
  throw rejected(
    `${version} cannot be continued: edition ${generated.edition} of the generator made it, and this is edition ` +
      `${GENERATOR_EDITION}, which gives other bars. Generate a market with 'saring dataset sample' first.`,
  );
}

function* lastDaysOf(market: Iterable<SyntheticTicker>, from: string): Generator<SyntheticTicker> {
  for (const { rows, ...company } of market) yield { ...company, rows: rowsFrom(rows, from) };
}
