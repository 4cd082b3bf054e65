import { Float64, Table, vectorFromArray, type RecordBatch } from 'apache-arrow';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PanelBuilder } from './panel-builder.ts';
import type { PanelColumns } from '#quant/panel/panel-columns.ts';
import { arbitraryBars, barBatch, factorsOf, type BarFixture } from '#quant/panel/panel-fixture.ts';

const BARS: BarFixture[] = [
  { ticker: 'AAAA', date: '2024-01-02', close: 100 },
  { ticker: 'AAAA', date: '2024-01-04', close: 50, factor: 0.5, share_factor: 0.5 },
  { ticker: 'BBBB', date: '2024-01-03', close: 700, volume: 0 },
  { ticker: 'BBBB', date: '2024-01-04', close: 710, factor: 0.9 },
];

function build(batches: Iterable<RecordBatch>, expectedRows?: number): PanelColumns {
  const builder = new PanelBuilder(expectedRows);
  for (const batch of batches) builder.append(batch);
  return builder.finish([]);
}

describe('PanelBuilder', () => {
  test('groups rows by ticker, indexes the calendar and accumulates factors per ticker', () => {
    const columns = build([barBatch(BARS)]);
    expect(columns.tickers).toEqual(['AAAA', 'BBBB']);
    expect(columns.dates).toEqual(['2024-01-02', '2024-01-03', '2024-01-04']);
    expect([...columns.offsets]).toEqual([0, 2, 4]);
    expect([...columns.day]).toEqual([0, 2, 1, 2]);
    expect([...columns.close]).toEqual([100, 50, 700, 710]);
    expect(factorsOf(columns)).toEqual({
      own: [1, 0.5, 1, 0.9],
      price: [1, 0.5, 1, 0.9],
      share: [1, 0.5, 1, 1],
    });
  });

  test('builds the same panel for any batch size, encoding and expected row count', () => {
    fc.assert(
      fc.property(
        arbitraryBars,
        fc.integer({ min: 1, max: 7 }),
        fc.constantFrom('dictionary', 'utf8'),
        fc.constantFrom('date32', 'uint16'),
        fc.integer({ min: 1, max: 200 }),
        (bars, batchRows, tickers, dates, expectedRows) => {
          const batches = [];
          for (let at = 0; at < bars.length; at += batchRows) {
            batches.push(barBatch(bars.slice(at, at + batchRows), tickers, dates));
          }
          expect(build(batches, expectedRows)).toEqual(build([barBatch(bars)]));
        },
      ),
    );
  });

  test('reads a slice of a larger batch', () => {
    const whole = barBatch(BARS, 'utf8');
    expect(build([whole.slice(0, 1), whole.slice(1, 4)])).toEqual(build([whole]));
  });

  test('joins listing facts by ticker and leaves null where there are none', () => {
    const builder = new PanelBuilder();
    builder.append(barBatch(BARS));
    const entry = {
      ticker: 'BBBB',
      name: 'B Tbk',
      sector: 'Energy',
      board: 'Utama',
      listed_on: '2001-05-06',
    };
    const { listing } = builder.finish([entry, { ...entry, ticker: 'ZZZZ' }]);
    expect(listing).toEqual({
      name: [null, 'B Tbk'],
      sector: [null, 'Energy'],
      board: [null, 'Utama'],
      listed_on: [null, '2001-05-06'],
    });
  });

  test.each([
    ['a day that goes back', [BARS[1]!, BARS[0]!], /AAAA: 2024-01-02 came after 2024-01-04/],
    ['a row given twice', [BARS[0]!, BARS[0]!], /AAAA: 2024-01-02 came after 2024-01-02/],
    ['a ticker that goes back', [BARS[2]!, BARS[0]!], /ticker AAAA came after BBBB/],
    ['a day before 1970', [{ ...BARS[0]!, date: '1969-12-31' }], /outside 0/],
    ['a factor of zero', [{ ...BARS[0]!, factor: 0 }], /AAAA 2024-01-02: adjustment factor 0/],
    ['a factor that is no number', [{ ...BARS[0]!, share_factor: NaN }], /AAAA 2024-01-02/],
  ])('refuses %s and names it', (_, bars, message) => {
    expect(() => build([barBatch(bars)])).toThrow(message);
    expect(() => build(bars.map((bar) => barBatch([bar])))).toThrow(message);
  });

  test('refuses a missing column, nulls and text where numbers belong', () => {
    const { ticker, ...rest } = columnsOf(barBatch(BARS));
    expect(() => build(new Table(rest).batches)).toThrow(/column ticker is missing/);
    const nulls = vectorFromArray([1, null, 3, 4], new Float64());
    expect(() => build(new Table({ ticker: ticker!, ...rest, close: nulls }).batches)).toThrow(
      /close has 1 null/,
    );
    expect(() => build(new Table({ ticker: ticker!, ...rest, close: ticker! }).batches)).toThrow(
      /column close/,
    );
  });
});

function columnsOf(batch: RecordBatch) {
  return Object.fromEntries(batch.schema.names.map((name) => [name, batch.getChild(name)!]));
}
