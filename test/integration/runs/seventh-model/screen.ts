import { Localised } from '#shared/text/localised.ts';
import { notice } from '#models/reasons/notice.ts';
import { analysedDay, type Screen, type ScreenInput, type ScreenOutput } from '#models/screen.ts';
import { daysNeeded, ID, type MostTradedParams } from './params.ts';
import type { MostTradedRow } from './result.ts';

const VALUE = new Localised('Angkanya adalah nilai transaksi.', 'The number is the traded value.');
const NO_RECORD = new Localised('Tidak ada rekam jejak.', 'There is no record.');

export const screen: Screen<MostTradedParams> = { run };

async function run(input: ScreenInput<MostTradedParams>): Promise<ScreenOutput> {
  const { panel, dataset, analysisDate, params, view } = input;
  const day = analysedDay(panel, analysisDate, daysNeeded());
  const asOf = panel.columns.dates[day]!;
  const traded = panel.columns.tickers
    .map((ticker, index): MostTradedRow => ({ Ticker: ticker, Value: valueOn(input, index, day) }))
    .filter(({ Value }) => Value > 0)
    .toSorted((a, b) => b.Value - a.Value);
  const picks = traded.slice(0, params.max_picks);
  const result = {
    model_id: ID,
    view,
    as_of: asOf,
    target_date: asOf,
    pick_count: picks.length,
    df_result: picks,
    notice: notice(VALUE, NO_RECORD),
    diag: {
      total_scanned: traded.length,
      final: picks.length,
      dataset_version: dataset.version,
      broker_data: dataset.broker_data,
    },
    dataset: { ...dataset, synthetic: dataset.kind === 'synthetic' },
  };
  const tickers = picks.map(({ Ticker }) => Ticker);
  return { result, summary: { pick_count: picks.length, tickers, target_date: asOf } };
}

function valueOn({ panel }: Pick<ScreenInput, 'panel'>, ticker: number, day: number): number {
  const row = panel.rowAt(ticker, day);
  return row < 0 ? 0 : panel.columns.value[row]!;
}
