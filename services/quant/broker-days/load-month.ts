import type { RecordBatch } from 'apache-arrow';
import { epochDayValues, numericValues } from '../panel/arrow-batch.ts';
import { epochDayFromIso } from '../panel/iso-day.ts';
import type { ReadArrow } from '../panel/panel-query.ts';
import type { Panel } from '../panel/panel.ts';
import { emptyMonth, type BrokerMonth } from './broker-month.ts';
import { brokerNumber } from './broker-number.ts';
import { AT, MEASURE_COUNT, MEASURES } from './measures.ts';
import { CLASSES_SQL, CODES_SQL, MONTH_SQL } from './month-query.ts';

/** Codes of the brokers whose class is not `bandar`, ascending. */
export interface BrokerClasses {
  retail: readonly string[];
  foreign: readonly string[];
}

/** The classes of a dataset version's broker table. */
export async function loadBrokerClasses(readArrow: ReadArrow, version: string): Promise<BrokerClasses> {
  const [retail, foreign]: [string[], string[]] = [[], []];
  for await (const batch of readArrow(CLASSES_SQL, { version })) {
    for (const row of batch) {
      const { code, is_retail, is_foreign } = row as unknown as ClassRow;
      if (is_retail === 1) retail.push(code);
      if (is_foreign === 1) foreign.push(code);
    }
  }
  return { retail, foreign };
}

interface ClassRow {
  code: string;
  is_retail: number;
  is_foreign: number;
}

/**
 * Summarises the gross rows of a segment, `YYYY-MM.…`, of the regular market, on the days and tickers of a panel.
 * @throws RangeError for rows that the panel has no stock or day for
 */
export async function loadBrokerMonth(
  readArrow: ReadArrow,
  panel: Panel,
  segment: string,
  { retail, foreign }: BrokerClasses,
): Promise<BrokerMonth> {
  const { tickers, dates } = panel.columns;
  const codes = await readCodes(readArrow, segment);
  const leaders = Float32Array.from(['', ...codes], (code) => (code === '' ? 0 : brokerNumber(code)));
  const month = emptyMonth(
    dates.filter((date) => date.slice(0, 7) === segment.slice(0, 7)),
    tickers,
  );
  const params = { segment, tickers, codes, retail, foreign };
  for await (const batch of readArrow(MONTH_SQL, params)) place(batch, month, leaders);
  return month;
}

async function readCodes(readArrow: ReadArrow, segment: string): Promise<string[]> {
  const codes: string[] = [];
  for await (const batch of readArrow(CODES_SQL, { segment })) {
    for (const row of batch) codes.push((row as unknown as { code: string }).code);
  }
  return codes;
}

function place(batch: RecordBatch, month: BrokerMonth, leaders: Float32Array): void {
  const { values } = month;
  const starts = startsOf(batch, month);
  for (const [measure, name] of MEASURES.entries()) {
    const column = numericValues(batch, `of_${name}`);
    for (let row = 0; row < starts.length; row++) values[starts[row]! + measure] = column[row]!;
  }
  for (const start of starts) values[start + AT.leader] = leaders[values[start + AT.leader]!]!;
}

/** Where the numbers of each stock-day go. */
function startsOf(batch: RecordBatch, { dates, tickers }: BrokerMonth): Uint32Array {
  const slots = new Map(dates.map((date, slot) => [epochDayFromIso(date), slot]));
  const days = epochDayValues(batch, 'date');
  const numbers = numericValues(batch, 'ticker_number');
  return Uint32Array.from({ length: batch.numRows }, (_, row) => {
    const [ticker, slot] = [numbers[row]! - 1, slots.get(days[row]!)];
    if (ticker < 0 || slot === undefined)
      throw new RangeError('broker rows of a stock or a day without bars');
    return (slot * tickers.length + ticker) * MEASURE_COUNT;
  });
}
