import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { columnWriter } from '#fields/values/column-writer.ts';
import { FIELD_GROUPS } from '#fields/catalogue/catalogue.ts';
import type { Field } from '#fields/values/field.ts';
import { Stock, type FieldInputs } from '#fields/values/stock.ts';
import { valueAt } from '#fields/evaluation/market-columns.ts';
import { loadBrokerClasses, loadBrokerMonth } from '#market-reader/read-broker-month.ts';
import { loadPanel } from '#market-reader/read-panel.ts';
import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import { BrokerDays } from '#quant/broker-measures/broker-days.ts';
import { regimeHistory } from '#quant/regime/regime.ts';
import { readArrow } from '#platform/clickhouse/clickhouse-arrow.ts';
import { needing, THE_REAL_MARKET } from '#support/needing.ts';
import { REAL_ARCHIVE, REAL_BROKER_ROWS } from '#support/real-market/real-archive.ts';
import { sumOf, type Figure } from '#support/recomputed-fields/arithmetic.ts';
import { RawBrokers } from '#support/recomputed-fields/raw-brokers.ts';
import { BROKER_FIGURES } from '#support/recomputed-fields/figures-of-brokers.ts';
import { generatedBrokerLines } from '#support/recomputed-fields/generated-broker-rows.ts';
import { readRawArchive } from '#support/recomputed-fields/raw-archive.ts';
import { RecomputedMarket } from '#support/recomputed-fields/recomputed-market.ts';
import { BROKER_STOCK, sampledDays, type SampledDay } from '#support/recomputed-fields/sampled-days.ts';
import type { StockView } from '#support/recomputed-fields/stock-view.ts';
import { tarOf } from '#support/markets/idx-archive.ts';
import { ownDatasets } from '#support/services/test-datasets.ts';

const isThere = existsSync(REAL_ARCHIVE) && existsSync(REAL_BROKER_ROWS);

/** Two stocks of which the first was delisted before the second was listed, stated to be one stock that was renamed. */
const RENAMED = { from: 'FINN', to: 'BUKA' };
const RENAME =
  'ticker,kind,ex_date,known_on,new_ticker\n' +
  `${RENAMED.from},ticker_change,2021-08-06,2021-07-01,${RENAMED.to}\n`;

/** Exchange days that fields of brokers read, and some. */
const READ_DAYS = 70;
/** Kinds of samples whose stocks get made rows. The others stay without, which fields must say. */
const MADE_FOR: ReadonlySet<string> = new Set(['after a split', 'renamed', 'any']);
const CHANCES = 100_000;

/** What models said of a day is in no file. */
const FIELDS = FIELD_GROUPS.flatMap(({ fields }) => fields).filter(
  ({ needs }) => !needs.includes('model_results'),
);
const seed = fc.readConfigureGlobal().seed ?? Date.now();

describe(
  'every field of the real market, computed again from the raw files',
  needing(THE_REAL_MARKET, isThere),
  () => {
    const own = ownDatasets();
    let market: RecomputedMarket;
    let brokers: RawBrokers;
    let samples: SampledDay[];
    let inputs: FieldInputs;

    beforeAll(async () => {
      const archive = await readRawArchive();
      market = new RecomputedMarket(archive, RENAMED);
      samples = sampledDays(market, RENAMED, seed);
      const rows = brokerRows();
      brokers = new RawBrokers(rows);
      const upload = await tarOf({ ...archive.files, 'actions.csv': RENAME, 'broker_rows.csv': rows });
      const { dataset } = await own.importBytes(upload);
      inputs = await inputsOf(dataset!);
    });

    /** The real rows that fields of the samples read, and made ones of stocks that have none. */
    function brokerRows(): string {
      const views = samples.map(({ ticker, date }) => market.viewOf(ticker, date));
      const isRead = new Set(
        views.flatMap(({ ticker, exchangeDays }) =>
          exchangeDays.slice(-READ_DAYS).map((date) => `${ticker} ${date} RG`),
        ),
      );
      const [header, ...real] = gunzipSync(readFileSync(REAL_BROKER_ROWS)).toString().trim().split(/\r?\n/);
      const realRows = real.filter((line) => isRead.has(line.split(',').slice(1, 4).join(' ')));
      const chances = fc.sample(fc.noBias(fc.nat()), { seed, numRuns: CHANCES });
      const below = (end: number) => chances.pop()! % end;
      const made = views
        .filter(({ ticker }, i) => ticker !== BROKER_STOCK && MADE_FOR.has(samples[i]!.kind))
        .filter(({ ticker }, i, all) => all.findIndex((view) => view.ticker === ticker) === i)
        .flatMap((view) => generatedBrokerLines(view.window(READ_DAYS), view.ticker, below));
      return [header, ...realRows, ...made, ''].join('\n');
    }

    /** As a service loads them. */
    async function inputsOf({ version, broker_segments }: Dataset): Promise<FieldInputs> {
      const read = (query: string, params: Record<string, unknown>) => readArrow(own.sql, query, params);
      const panel = await loadPanel(read, version);
      const brokerDays = new BrokerDays(panel);
      const classes = await loadBrokerClasses(read, version);
      for (const segment of broker_segments)
        brokerDays.add(await loadBrokerMonth(read, panel, segment, classes));
      return { panel, brokerDays, history: regimeHistory(panel) };
    }

    test('every field of the catalogue is among them', () => {
      const view = market.viewOf(samples[0]!.ticker, samples[0]!.date);
      const names = Object.keys(market.figuresOf(view, brokers.of(view.ticker)));
      expect(names.toSorted()).toEqual(FIELDS.map(({ name }) => name).toSorted());
    });

    test(`has the same values for twenty stocks and days (FUZZ_SEED=${seed})`, () => {
      const differences = samples.flatMap((sample) => {
        const view = market.viewOf(sample.ticker, sample.date);
        const expected = market.figuresOf(view, brokers.of(view.ticker));
        const said = valuesOf(sample);
        return FIELDS.filter(
          ({ name }) => !agrees(said[name]!, expected[name]!, toleranceOf(name, view)),
        ).map(
          ({ name }) =>
            `${sample.kind}: ${sample.ticker} ${sample.date} ${name}: ${said[name]}, from the files ${expected[name]}`,
        );
      });
      expect(differences).toEqual([]);
    });

    function valuesOf({ ticker, date }: SampledDay): Record<string, Figure> {
      const { panel } = inputs;
      const day = panel.dayOnOrBefore(date);
      const span = { firstDay: day, lastDay: day };
      const stock = new Stock(inputs, panel.tickerIndex(ticker), span);
      return Object.fromEntries(FIELDS.map((field) => [field.name, valueOf(field, stock, span)]));
    }

    function valueOf(field: Field, stock: Stock, span: { firstDay: number; lastDay: number }): Figure {
      const writer = columnWriter(field, inputs, span);
      writer.write(stock);
      return valueAt(writer.finish(), stock.ticker);
    }
  },
);

/** Columns hold seven digits. */
const DIGITS = 2e-6;

/** Nets of brokers are stored as parts of the turnover, with seven digits; other money is exact. */
function toleranceOf(name: string, view: StockView): number {
  if (!name.endsWith('_idr')) return DIGITS;
  const tradedIdr = sumOf(view.window(60), ({ value }) => value);
  return (BROKER_FIGURES.includes(name) ? DIGITS : 1e-9) * tradedIdr;
}

function agrees(said: Figure, expected: Figure, tolerance: number): boolean {
  if (typeof said !== 'number' || typeof expected !== 'number') return said === expected;
  return Math.abs(said - expected) <= DIGITS * Math.abs(expected) + tolerance;
}
