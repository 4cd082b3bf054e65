import { Localised } from '#foundation/text/localised.ts';
import { fullViewOf } from '#models/results/full-view.ts';
import { notice } from '#models/reasons/notice.ts';
import { analysedDay } from '#models/inputs/run-failure.ts';
import { type Screen, type ScreenInput, type ScreenOutput, summaryOf } from '#models/model/screen.ts';
import { daysNeeded, ID, type MostTradedParams } from './params.ts';
import type { MostTradedRow } from './result.ts';

const VALUE = new Localised('Angkanya adalah nilai transaksi.', 'The number is the traded value.');
const NO_RECORD = new Localised('Tidak ada rekam jejak.', 'There is no record.');

export const screen: Screen<MostTradedParams> = { run };

async function run(input: ScreenInput<MostTradedParams>): Promise<ScreenOutput> {
  const { panel, dataset, analysisDate, params } = input;
  const day = analysedDay(panel, analysisDate, daysNeeded());
  const asOf = panel.columns.dates[day]!;
  const traded = panel.columns.tickers
    .map((ticker, index): MostTradedRow => ({ Ticker: ticker, Value: valueOn(input, index, day) }))
    .filter(({ Value }) => Value > 0)
    .toSorted((a, b) => b.Value - a.Value);
  const picks = traded.slice(0, params.max_picks);
  const result = fullViewOf(dataset, {
    modelId: ID,
    asOf,
    fields: { pick_count: picks.length, df_result: picks, notice: notice(VALUE, NO_RECORD) },
    diag: { total_scanned: traded.length, final: picks.length },
  });
  const tickers = picks.map(({ Ticker }) => Ticker);
  return { result, summary: summaryOf(asOf, tickers) };
}

function valueOn({ panel }: Pick<ScreenInput, 'panel'>, ticker: number, day: number): number {
  const row = panel.rowAt(ticker, day);
  return row < 0 ? 0 : panel.columns.value[row]!;
}
