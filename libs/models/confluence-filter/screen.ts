import type { DaySpan } from '#quant/panel/ranges.ts';
import type { ConfluenceRow } from './result.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { sma, volumeRatio } from '#quant/indicators/moving-averages.ts';
import { withoutMixed } from '#quant/panel/unknown-shares.ts';
import { macd, rsi, stochastic } from '#quant/indicators/oscillators.ts';
import { bollinger } from '#quant/indicators/volatility.ts';
import { outsiders } from '#quant/universe/candidates.ts';
import { runExplanation } from '../picks/run-explanation.ts';
import { fullViewOf } from '../results/full-view.ts';
import { abbreviated, grouped, multiple, signedPercent } from '../results/display.ts';
import { toDecimals } from '#foundation/rounded.ts';
import { emptySelection } from '../picks/empty-block.ts';
import { missingOf } from '../picks/missing-tickers.ts';
import { picksToRecord, USUAL_BARRIERS, USUAL_HORIZON_DAYS } from '../picks/picks-to-record.ts';
import { Localised } from '#foundation/text/localised.ts';
import { missingData, notice } from '../reasons/notice.ts';
import { analysedDay, spanUpTo } from '../inputs/run-failure.ts';
import { type Screen, type ScreenInput, type ScreenOutput, summaryOf } from '../model/screen.ts';
import { type ConfluenceParams, ID, daysNeeded } from './params.ts';
import type { TradedSeries } from '#quant/panel/traded-series.ts';
import { ConfluenceMarket, funnelOf, type Hit, signalDetail, whyNone } from './selection.ts';

/**
 * Model D: stocks on which several technical signals agree within a few days. It learns nothing and draws nothing at random.
 */
export const screen: Screen<ConfluenceParams> = { brokerSpan, run };

async function run({
  panel,
  brokerFlow,
  regime,
  dataset,
  analysisDate,
  params,
}: ScreenInput<ConfluenceParams>): Promise<ScreenOutput> {
  const day = analysedDay(panel, analysisDate, daysNeeded());
  const asOf = panel.columns.dates[day]!;
  const market = new ConfluenceMarket(panel, brokerFlow, day);
  const selection = market.select(params);
  const { picks, ranked, steps, stocks } = selection;
  const said = notice(SIGNALS, ON_RECORD, { missing: missingData(panel, day) });
  return {
    result: fullViewOf(dataset, {
      modelId: ID,
      asOf,
      fields: {
        pick_count: picks.length,
        df_result: picks.map((hit) =>
          confluenceRow(hit, market.seriesOf(hit.stock), ranked.indexOf(hit) + 1),
        ),
        notice: said,
        ...missingOf(panel, params),
      },
      diag: { ...funnelOf(selection), seller_rule: market.sellerRuleOf(selection) },
      empty: picks.length === 0 ? emptySelection(selection, asOf, whyNone(selection)) : undefined,
    }),
    summary: summaryOf(
      asOf,
      stocks.map(({ code }) => code),
    ),
    record: picksToRecord(
      stocks,
      { ...params, ...USUAL_BARRIERS },
      { horizonDays: USUAL_HORIZON_DAYS, regime: regime().regime[day]! },
    ),
    explanation: runExplanation({
      modelId: ID,
      asOf,
      steps,
      notice: said,
      names: selection.traces(),
      unbuyable: market.unbuyable,
      requested: params.tickers,
      outside: outsiders(panel, day),
    }),
  };
}

const SIGNALS = new Localised(
  'Angkanya adalah jumlah sinyal teknikal yang muncul dari empat, bukan peluang.',
  'The number is how many of four technical signals fired; it is not a chance.',
);
const ON_RECORD = new Localised(
  'Model ini tidak belajar. Seberapa sering pilihannya berhasil tercatat pada /api/v1/models/confluence_filter/record.',
  'This model does not learn. How often its picks won is at /api/v1/models/confluence_filter/record.',
);

/** The days of broker rows that the seller filter reads. */
function brokerSpan(panel: Panel, params: ConfluenceParams, analysisDate: string): DaySpan | undefined {
  const { seller_filter, seller_lookback } = params;
  return seller_filter ? spanUpTo(panel, analysisDate, seller_lookback) : undefined;
}

/**
 * A pick in the contract's fields. `MACD Hist` is the histogram divided by the close, `MA Spread` the 5-day average relative to
 * the 20-day one, `Vol Ratio` the last volume relative to its 20-bar average, `Daily Val` the
 * 20-day average that `min_daily_val` is compared with, `BB Width` is in percent of the middle band. The contract's fields are of
 * one day; `Signal Vol Ratio`, which orders names with equally many signals, is of the day of the signal.
 */
function confluenceRow(
  { stock, reading }: Hit,
  { high, low, close, volume, unknown }: TradedSeries,
  rank: number,
): ConfluenceRow {
  const lastOf = (values: Float64Array) => values.at(-1)!;
  return {
    Ticker: stock.code,
    Rank: rank,
    Signals: reading.count,
    'Signal Detail': signalDetail(reading),
    'Stoch %K': toDecimals(lastOf(stochastic(high, low, close).k), 1),
    'MACD Hist': signedPercent(lastOf(macd(close).histogram) / lastOf(close)),
    'MA Spread': signedPercent(lastOf(sma(close, 5)) / lastOf(sma(close, 20)) - 1),
    'Vol Ratio': multiple(lastOf(withoutMixed(volumeRatio(volume, 20), unknown, 20))),
    'Signal Vol Ratio': multiple(reading.volumeRatio),
    'Last Close': grouped(stock.close),
    'Daily Val': abbreviated(stock.averageValue),
    RSI: toDecimals(lastOf(rsi(close)), 1),
    'BB Width': toDecimals(lastOf(bollinger(close).widthPct), 2),
  };
}
