import type { LateFactor } from '#quant/panel/panel-columns.ts';
import type { Panel } from '#quant/panel/panel.ts';
import type { ReadArrow } from './arrow-batch.ts';

export const LATE_FACTORS_SQL = `SELECT ticker, toString(date) AS date, toString(known_on) AS known_on, factor, share_factor
FROM market.late_factor
WHERE dataset_version = {version:String} AND late_factor.date <= {until:Date}
ORDER BY ticker, date`;

interface LateFactorRow {
  ticker: string;
  date: string;
  known_on: string;
  factor: number;
  share_factor: number;
}

/** Reads what applied on bars of a version before the corporate actions were known that restate prices there. */
export async function readLateFactors(
  readArrow: ReadArrow,
  params: Record<'version' | 'until', string>,
  panel: Panel,
): Promise<LateFactor[]> {
  const late: LateFactor[] = [];
  for await (const batch of readArrow(LATE_FACTORS_SQL, params)) {
    for (const row of batch) late.push(lateFactor(panel, row as unknown as LateFactorRow));
  }
  return late;
}

function lateFactor(
  panel: Panel,
  { ticker, date, known_on, factor, share_factor }: LateFactorRow,
): LateFactor {
  const row = panel.rowAt(panel.tickerIndex(ticker), panel.dayOnOrBefore(date));
  if (row < 0) throw new RangeError(`${ticker} has no bar of ${date}, although it was restated`);
  return { row, knownDay: panel.dayOnOrAfter(known_on), factor, share_factor };
}
