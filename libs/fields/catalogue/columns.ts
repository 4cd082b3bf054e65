import { refuseUnwanted } from '#foundation/unwanted.ts';
import { gapsWithin } from '#quant/panel/gaps.ts';
import { panelKnownOn } from '#quant/panel/known-panel.ts';
import { sharedColumn, type LateFactor } from '#quant/panel/panel-columns.ts';
import type { Panel } from '#quant/panel/panel.ts';
import type { DaySpan } from '#quant/panel/ranges.ts';
import { regimeHistory } from '#quant/regime/regime.ts';
import type { CodeColumn, Column, MarketColumns } from '../evaluation/market-columns.ts';
import { MISTAKES } from '../rules/mistakes.ts';
import { closest } from '../rules/suggestion.ts';
import { FIELDS, type Fields } from './catalogue.ts';
import { columnWriter, type ColumnWriter } from '../values/column-writer.ts';
import type { Field } from '../values/field.ts';
import { Factors } from '../values/restating-factors.ts';
import { Stock, type FieldInputs } from '../values/stock.ts';

/** The field that says which stocks count in ranks. */
const LIQUID = 'is_liquid';

/**
 * Columns of fields over days of a panel (calendar indices, both included), in shared memory: 4 bytes for each stock-day of a
 * number, 1 of a flag or of a text with known values, 2 of another text; 4.5 MB for a number over five years of 930 stocks.
 * Day 0 of the columns is the first of the days.
 *
 * A value depends on rows up to its day only, as they were known on it. Days before the first are read as far as a field needs
 * them, so a value does not depend on where the columns start.
 * @throws RangeError for a name that is no field, Error once the inputs say that nobody waits any more
 */
export function marketColumns(
  names: readonly string[],
  inputs: FieldInputs,
  span: DaySpan,
  fields: Fields = FIELDS,
): MarketColumns {
  const factors = new Factors(inputs.panel, span);
  const gaps = gapsWithin(inputs.panel.columns.gaps, span);
  const columns = fieldColumns([...names, LIQUID], inputs, span, { factors, fields });
  return {
    ...frameOf(inputs.panel, span),
    ...(gaps && { gaps }),
    fields: Object.fromEntries(columns),
    liquid: flagsOf(columns.get(LIQUID) as CodeColumn),
  };
}

/** Columns by the name of the field. Those of stocks are written in one pass over the stocks. */
export function fieldColumns(
  names: readonly string[],
  inputs: FieldInputs,
  span: DaySpan,
  { factors, fields = FIELDS }: { factors: Factors; fields?: Fields },
): Map<string, Column> {
  const writers = [...new Set(names)].map((name) => columnWriter(fieldOf(name, fields), inputs, span));
  const isOfMarket = ({ field }: ColumnWriter) => field.needs.includes('market');
  const ofStocks = writers.filter((writer) => !isOfMarket(writer));
  if (ofStocks.length > 0) writeStocks(ofStocks, inputs, span);
  if (ofStocks.length < writers.length) writeMarket(writers.filter(isOfMarket), inputs, span);
  return new Map(
    writers.map((writer) => {
      const { name, restatedAs } = writer.field;
      return [name, writer.finish(restatedAs && factors.of(restatedAs))];
    }),
  );
}

/** What market columns hold beside fields. */
function frameOf(panel: Panel, span: DaySpan): Pick<MarketColumns, 'tickers' | 'dayCount' | 'listed'> {
  return {
    tickers: panel.columns.tickers,
    dayCount: span.lastDay + 1 - span.firstDay,
    listed: rowFlags(panel, span),
  };
}

function fieldOf(name: string, fields: Fields): Field {
  const field = fields.get(name);
  if (!field) throw new RangeError(MISTAKES.no_field({ name, meant: closest(name, fields.keys()) }));
  return field;
}

/** Fields of a stock's own rows. Only a stock with a factor that became known late differs from what is known now. */
function writeStocks(writers: readonly ColumnWriter[], inputs: FieldInputs, span: DaySpan): void {
  const { panel } = inputs;
  const { late_factors: late = [] } = panel.columns;
  for (let ticker = 0; ticker < panel.tickerCount; ticker++) {
    refuseUnwanted(inputs);
    const [first, end] = [panel.firstRow(ticker), panel.endRow(ticker, panel.dayCount)];
    const own = late.filter(({ row }) => row >= first && row < end);
    for (const stretch of stretchesOf(own, span)) {
      const known = own.length === 0 ? panel : panelKnownOn(panel, stretch.firstDay);
      const stock = new Stock({ ...inputs, panel: known }, ticker, stretch);
      for (const writer of writers) writer.write(stock);
    }
  }
}

/** Fields of the whole market, which every late factor may change. */
function writeMarket(writers: readonly ColumnWriter[], inputs: FieldInputs, span: DaySpan): void {
  const { panel } = inputs;
  for (const stretch of stretchesOf(panel.columns.late_factors ?? [], span)) {
    const known = panelKnownOn(panel, stretch.firstDay);
    const history = known === panel ? inputs.history : regimeHistory(known);
    for (let ticker = 0; ticker < panel.tickerCount; ticker++) {
      refuseUnwanted(inputs);
      const stock = new Stock({ ...inputs, panel: known, history }, ticker, stretch);
      for (const writer of writers) writer.write(stock);
    }
  }
}

/** Parts of a span of days during which no further factor became known. */
function stretchesOf(late: readonly LateFactor[], { firstDay, lastDay }: DaySpan): DaySpan[] {
  const within = late.map(({ knownDay }) => knownDay).filter((day) => day > firstDay && day <= lastDay);
  const starts = [firstDay, ...new Set(within)].sort((a, b) => a - b);
  return starts.map((start, i) => ({ firstDay: start, lastDay: (starts[i + 1] ?? lastDay + 1) - 1 }));
}

/** 1 for each stock-day with a row. */
function rowFlags(panel: Panel, span: DaySpan): Uint8Array {
  const { day } = panel.columns;
  const flags = sharedColumn(Uint8Array, (span.lastDay + 1 - span.firstDay) * panel.tickerCount);
  for (let ticker = 0; ticker < panel.tickerCount; ticker++) {
    const end = panel.endRow(ticker, span.lastDay);
    for (let row = panel.endRow(ticker, span.firstDay - 1); row < end; row++) {
      flags[(day[row]! - span.firstDay) * panel.tickerCount + ticker] = 1;
    }
  }
  return flags;
}

/** 1 for each stock-day on which a flag is true. */
function flagsOf({ codes, words }: CodeColumn): Uint8Array {
  const yes = words.indexOf(true);
  const flags = sharedColumn(Uint8Array, codes.length);
  for (let at = 0; at < flags.length; at++) flags[at] = Number(codes[at] === yes);
  return flags;
}
