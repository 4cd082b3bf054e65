import { beforeAll, describe, expect, test } from 'vitest';
import { brokerFeatures } from '#quant/snapshot/snapshot-broker-features.ts';
import { brokerDaysOf } from '#quant/broker-measures/broker-days-fixture.ts';
import { BROKER_TABLE } from '#quant/broker-features/random-flow-fixture.ts';
import { brokerFlowOf } from '#quant/broker-rows/flow-fixture.ts';
import { ClassFlows, classFlowColumns } from '#quant/broker-rows/class-flows.ts';
import { panelKnownOn } from '#quant/panel/known-panel.ts';
import { Panel } from '#quant/panel/panel.ts';
import { poisonedPanel, type BarFixture } from '#quant/panel/panel-fixture.ts';
import { Random } from '#quant/random.ts';
import { candidates } from '#quant/universe/candidates.ts';
import { regimeHistory } from '#quant/regime/regime.ts';
import { snapshotFeatures } from '#quant/snapshot/snapshot-features.ts';
import { evaluateDay } from '../evaluation/evaluate.ts';
import { isNumbers, valueAt, type MarketColumns } from '../evaluation/market-columns.ts';
import { parseRules } from '../rules/parse-rules.ts';
import { FIELDS } from './catalogue.ts';
import { NULL_MEANS } from '../values/field.ts';
import { marketColumns } from './columns.ts';
import {
  FACT_FIELDS,
  factsOf,
  flowOf,
  inputsOf,
  listedPanel,
  marketBars,
  resultsOf,
  SNAPSHOT_FIGURES,
} from './market-fixture.ts';
import type { FieldInputs } from '../values/stock.ts';

/** Those of facts included. */
const NAMES = [...FACT_FIELDS.keys()];
const DAYS = 300;
let bars: BarFixture[];
let inputs: FieldInputs;
let whole: MarketColumns;

beforeAll(() => {
  bars = marketBars({ seed: 9, tickers: 14, days: DAYS });
  inputs = inputsOf(bars);
  whole = allColumns(inputs);
});

function allColumns(of: FieldInputs, firstDay = 0, lastDay = of.panel.dayCount - 1): MarketColumns {
  return marketColumns(NAMES, of, { firstDay, lastDay }, FACT_FIELDS);
}

const OF_REFERENCES = ['day_change_pct', 'to_upper_limit_pct', 'closed_at_upper_limit', 'is_tradable'];

/** The panel without some of what a source may lack. */
function withUnsaid({ columns }: Panel): Panel {
  const [unsaid, random] = [{ ...columns }, new Random(7)];
  for (const [share, part] of [
    [0.04, { foreign_buy: NaN, foreign_sell: NaN }],
    [0.04, { nego_value: NaN, nego_volume: NaN, nego_frequency: 0 }],
    [0.1, { previous: 0 }],
    [0.04, { frequency: 0 }],
    [0.2, { listed_shares: 0 }],
  ] as const) {
    const lacks = Array.from(columns.day, () => random.chance(share));
    for (const [name, value] of Object.entries(part) as ['previous', number][])
      unsaid[name] = columns[name].map((said, row) => (lacks[row] ? value : said));
  }
  return new Panel(unsaid);
}

/** Values of a field on a day by ticker, for the given tickers. */
function valuesOn(columns: MarketColumns, field: string, day: number, tickers: readonly string[]) {
  return tickers.map((ticker) => {
    const stock = columns.tickers.indexOf(ticker);
    const at = day * columns.tickers.length + stock;
    const column = columns.fields[field]!;
    return isNumbers(column) ? column.values[at]! : valueAt(column, at);
  });
}

/** Every byte of a field up to a day, for the given tickers. Codes count as what they stand for. */
function saidUpTo(columns: MarketColumns, field: string, day: number, tickers: readonly string[]): Buffer {
  const stocks = tickers.map((ticker) => columns.tickers.indexOf(ticker));
  const places = Array.from({ length: day + 1 }, (_, at) =>
    stocks.map((stock) => at * columns.tickers.length + stock),
  ).flat();
  const column = columns.fields[field]!;
  return isNumbers(column)
    ? Buffer.from(Float32Array.from(places, (at) => column.values[at]!).buffer)
    : Buffer.from(places.map((at) => String(valueAt(column, at))).join());
}

describe('columns', () => {
  test('hold a value of every field somewhere, and not the same everywhere', () => {
    const constant = NAMES.filter((name) => {
      const column = whole.fields[name]!;
      const values = isNumbers(column)
        ? [...column.values].filter((value) => !Number.isNaN(value))
        : [...column.codes].filter((code) => column.words[code] !== null);
      return new Set(values).size < 2;
    });
    expect(constant).toEqual([]);
  });

  test.each([
    ['the newest day', DAYS - 1],
    ['a day after the split of the first stock', DAYS - 10],
    ['an earlier day', 260],
  ])('agree with the snapshot of market-data on %s', (_, day) => {
    const { panel } = inputs;
    const flow = flowOf(panel, bars);
    const flows = { brokerFlow: flow, classFlows: new ClassFlows(classFlowColumns(panel, flow)) };
    for (let ticker = 0; ticker < panel.tickerCount; ticker++) {
      if (panel.rowAt(ticker, day) < 0) continue;
      const snapshot = snapshotFeatures(panel, ticker, day, brokerFeatures(panel, flows, ticker, day));
      for (const [figure, name] of SNAPSHOT_FIGURES) {
        const expected = snapshot[figure];
        const value = valueAt(whole.fields[name]!, day * panel.tickerCount + ticker);
        const message = `${name} of ${panel.columns.tickers[ticker]}`;
        if (expected === null) expect(value, message).toBeNull();
        else
          expect(Math.abs((value as number) - expected), message).toBeLessThanOrEqual(
            1e-5 * Math.abs(expected) + 1e-4,
          );
      }
    }
  });

  test('of what no source says are null, in the snapshot too; all others are as if everything were said', () => {
    const { panel } = inputs;
    const unsaid = withUnsaid(panel);
    const [different, nulled] = [new Set<string>(), new Set<string>()];
    const compare = (name: string, value: unknown, said: unknown) => {
      if (value === null && said !== null) nulled.add(name);
      else if (!Object.is(value, said)) different.add(name);
    };
    const compareColumns = (of: MarketColumns, said: MarketColumns) => {
      for (const [name, column] of Object.entries(of.fields))
        for (let at = 0; at < said.listed.length; at++)
          compare(name, valueAt(column, at), valueAt(said.fields[name]!, at));
    };
    compareColumns(allColumns(inputsOf(bars, unsaid)), whole);
    // Across holes, no close takes the place of a reference price that is not said.
    const gaps = panel.columns.dates.flatMap((_, day) => (day % 3 === 0 ? [day] : []));
    const holed = ({ columns }: Panel) => ({ ...inputs, panel: new Panel({ ...columns, gaps }) });
    const ofReferences = (of: Panel) =>
      marketColumns(OF_REFERENCES, holed(of), { firstDay: 0, lastDay: DAYS - 1 });
    compareColumns(ofReferences(unsaid), ofReferences(panel));
    const [brokerFlow, day] = [flowOf(panel, bars), DAYS - 1];
    const flows = { brokerFlow, classFlows: new ClassFlows(classFlowColumns(panel, brokerFlow)) };
    const snapshotOf = (of: Panel, ticker: number) =>
      Object.entries(snapshotFeatures(of, ticker, day, brokerFeatures(of, flows, ticker, day)));
    for (let ticker = 0; ticker < panel.tickerCount; ticker++) {
      const said = new Map(snapshotOf(panel, ticker));
      for (const [name, value] of snapshotOf(unsaid, ticker)) compare(name, value, said.get(name));
    }
    // A score against the usual leaves out the days that are not known, whatever they lack.
    expect([...different]).toEqual(['smart_money_divergence_60d', 'smart_money_divergence']);
    expect(nulled.size).toBeGreaterThan(30);
    expect([...nulled]).toEqual(expect.arrayContaining([...OF_REFERENCES, 'nego_value_5d']));
    const denied = [...nulled].filter((name) => FIELDS.get(name)?.nullMeans.en === NULL_MEANS.never.en);
    expect(denied).toEqual([]);
  });

  test('say which stocks models may pick', () => {
    for (const day of [150, 200, DAYS - 1]) {
      const tradable = inputs.panel.columns.tickers.filter(
        (_, ticker) => valueAt(whole.fields['is_tradable']!, day * whole.tickers.length + ticker) === true,
      );
      expect(tradable).toEqual(candidates(inputs.panel, day).map(({ code }) => code));
      expect(tradable.length).toBeGreaterThan(0);
    }
  });

  test('have the same values wherever they start', () => {
    const [firstDay, lastDay] = [DAYS - 40, DAYS - 20];
    const part = allColumns(inputs, firstDay, lastDay);
    for (const name of NAMES) {
      for (const day of [firstDay, lastDay - 3, lastDay]) {
        expect(valuesOn(part, name, day - firstDay, part.tickers), name).toEqual(
          valuesOn(whole, name, day, part.tickers),
        );
      }
    }
  });

  test('are null where a stock has no row', () => {
    for (const name of NAMES) {
      for (let at = 0; at < whole.listed.length; at += 7) {
        if (whole.listed[at] === 0) expect(valueAt(whole.fields[name]!, at), name).toBeNull();
      }
    }
    expect(whole.listed).toContain(0);
  });

  test('of broker rows are null without them', () => {
    const { panel, history } = inputs;
    const bare = marketColumns([...FIELDS.keys()], { panel, history }, { firstDay: 250, lastDay: 255 });
    for (const [name, { needs }] of FIELDS) {
      if (!needs.includes('broker_days')) continue;
      const { tickers } = bare;
      for (let at = 0; at < 6 * tickers.length; at++)
        expect(valueAt(bare.fields[name]!, at), name).toBeNull();
    }
  });

  test('fail for a name that is no field', () => {
    expect(() => marketColumns(['rsi14'], inputs, { firstDay: 0, lastDay: 1 })).toThrow(
      'no field `rsi14`; did you mean rsi_14?',
    );
  });

  test('give rules what they need', () => {
    const rules = parseRules(
      "is_liquid and close > 0.9 * sma_20 and rank(value_20d) <= 5 and sector in ('Sector 0', 'Sector 1') " +
        'sort by value_20d desc',
      FIELDS,
    );
    const { stocks } = evaluateDay(rules, whole, DAYS - 1);
    expect(stocks.length).toBeGreaterThan(0);
    const values = stocks.map(({ values }) => values['value_20d'] as number);
    expect(values).toEqual(values.toSorted((a, b) => b - a));
  });
});

test('shares of brokers over five days are those of each day, weighted by its turnover', () => {
  const buyers = ['AK', 'BK', 'CC', 'LG', 'MG'];
  const daily = buyers.map((_, i) => ({
    ticker: 'AAAA',
    date: `2024-03-0${i + 4}`,
    close: 100,
    volume: 10 * (i + 1),
  }));
  const panel = listedPanel(daily);
  const rows = daily.flatMap(({ ticker, date, volume }, i) => [
    { ticker, date, broker: buyers[i]!, buy_shares: volume, buy_value: 100 * volume },
    { ticker, date, broker: 'XL', sell_shares: volume, sell_value: 100 * volume },
  ]);
  const brokerDays = brokerDaysOf(panel, brokerFlowOf(panel, rows, BROKER_TABLE));
  const names = ['top1_buyer_share_5d_pct', 'top5_buyer_share_5d_pct'];
  const columns = marketColumns(
    names,
    { ...inputsOf(daily, panel), brokerDays },
    { firstDay: 4, lastDay: 4 },
  );
  // The largest buyer of the five days together holds a third.
  expect(names.map((name) => valueAt(columns.fields[name]!, 0))).toEqual([100, 100]);
  for (const name of names) expect(FIELDS.get(name)!.label.en).toMatch(/each day's/);
});

test('sectors and boards are null on days on which nobody could know them', () => {
  const dates = ['2021-01-21', '2021-01-22', '2021-01-25', '2021-01-26'];
  const past = inputsOf(dates.map((date) => ({ ticker: 'AAAA', date, close: 100 })));
  const known = (name: string, of: FieldInputs) => {
    const columns = marketColumns([name], of, { firstDay: 0, lastDay: 3 });
    return dates.map((_, day) => valueAt(columns.fields[name]!, day));
  };
  expect(known('sector', past)).toEqual([null, null, 'Sector 0', 'Sector 0']);
  expect(known('board', past)).toEqual([null, null, null, 'Main']);
  expect(known('board', { ...past, boardsKnownFrom: 1 })).toEqual([null, 'Main', 'Main', 'Main']);
});

test('a stock closes at the upper limit of its first day only at twice the usual limit, as long as that applied', () => {
  const first = (date: string, close: number) => ({ ticker: date, date, previous: 180, close });
  const bars = [
    { ticker: '0LD', date: '2019-09-16', close: 100 },
    first('2019-09-17', 278),
    first('2019-09-18', 306),
    first('2020-03-16', 242),
    first('2020-03-17', 240),
  ];
  const columns = marketColumns(
    ['closed_at_upper_limit'],
    inputsOf(bars.map((bar) => ({ ...bar, volume: 100 }))),
    {
      firstDay: 1,
      lastDay: 4,
    },
  );
  const own = [1, 2, 3, 4].map((stock, day) =>
    valueAt(columns.fields['closed_at_upper_limit']!, day * columns.tickers.length + stock),
  );
  expect(own).toEqual([false, true, true, false]);
});

describe('rows after a day', () => {
  /** On the day after each of these, nearly every field changes for some stock. */
  const CUTS = [210, 244, 257];
  /** Boards are those of the import, on whatever day that is. */
  const BOARDS_FROM = 200;
  const columnsOf = (of: FieldInputs) => allColumns({ ...of, boardsKnownFrom: BOARDS_FROM });
  let known: MarketColumns;
  beforeAll(() => {
    known = columnsOf(inputs);
  });

  function withoutLater(day: number): FieldInputs {
    const until = inputs.panel.columns.dates[day]!;
    const earlier = bars.filter(({ date }) => date <= until);
    const inPast = inputsOf(earlier, withListingOf(listedPanel(earlier)));
    return { ...inPast, facts: factsOf(inPast.panel, { than: until, value: undefined }) };
  }

  /** Sectors and boards of the whole market: deleting a stock would otherwise give the others new ones. */
  function withListingOf(panel: Panel): Panel {
    const { tickers, listing } = inputs.panel.columns;
    const of = <T>(column: readonly T[]) =>
      panel.columns.tickers.map((ticker) => column[tickers.indexOf(ticker)]!);
    return new Panel({
      ...panel.columns,
      listing: {
        name: of(listing.name),
        sector: of(listing.sector),
        board: of(listing.board),
        listed_on: of(listing.listed_on),
      },
    });
  }

  function withPoisonLater(day: number, poison: number): FieldInputs {
    const panel = poisonedPanel(inputs.panel, day, poison);
    const than = panel.columns.dates[day]!;
    const earlier = bars.filter(({ date }) => date <= than);
    const facts = factsOf(panel, { than, value: `${poison}` });
    const modelResults = resultsOf(panel, { than, value: poison });
    return { ...inputsOf(earlier, panel), history: regimeHistory(panel), facts, modelResults };
  }

  test.each(CUTS)('change no byte of any field up to day %i when deleted or set to NaN or 1e9', (day) => {
    for (const past of [withoutLater(day), withPoisonLater(day, NaN), withPoisonLater(day, 1e9)]) {
      const tickers = past.panel.columns.tickers.filter((_, ticker) => past.panel.lastRow(ticker, day) >= 0);
      expect(tickers.length).toBeGreaterThan(10);
      const said = columnsOf(past);
      const changed = NAMES.filter(
        (name) => !saidUpTo(said, name, day, tickers).equals(saidUpTo(known, name, day, tickers)),
      );
      expect(changed).toEqual([]);
    }
  });

  test('are detected in every field that is shifted by a day and changes overnight', () => {
    const undetected = NAMES.filter((name) =>
      CUTS.every((day) => {
        const [today, tomorrow] = [day, day + 1].map((at) => valuesOn(known, name, at, known.tickers));
        return JSON.stringify(today) === JSON.stringify(tomorrow);
      }),
    );
    expect(undetected.toSorted()).toEqual(UNCHANGED_OVERNIGHT);
  });
});

/** Fields that seldom change. */
const UNCHANGED_OVERNIGHT = ['board', 'listed_shares', 'sector', 'ticker'];

test('a later split changes no price of an earlier day, and no ratio', () => {
  const { ticker } = bars[0]!;
  const own = bars.filter((bar) => bar.ticker === ticker);
  const split = own.at(-5)!;
  const later = bars.map((bar) => (bar === split ? { ...bar, factor: 0.1, share_factor: 0.1 } : bar));
  const day = inputs.panel.dayOnOrBefore(own.at(-6)!.date);
  const columns = allColumns(inputsOf(later));
  for (const name of NAMES) {
    expect(valuesOn(columns, name, day, [ticker]), name).toEqual(valuesOn(whole, name, day, [ticker]));
  }
});

describe('a corporate action that became known late', () => {
  const ROW_DAY = 250;
  const KNOWN_DAY = 254;
  let late: FieldInputs;
  beforeAll(() => {
    const row = inputs.panel.rowAt(1, ROW_DAY);
    const withAction = bars.map((bar, i) => (i === row ? { ...bar, factor: 0.5, share_factor: 0.5 } : bar));
    const { columns } = listedPanel(withAction);
    const panel = new Panel({
      ...columns,
      late_factors: [{ row, knownDay: KNOWN_DAY, factor: 1, share_factor: 1 }],
    });
    late = inputsOf(withAction, panel);
  });

  test('is unknown before that day, and applies from then on', () => {
    const before = panelKnownOn(late.panel, KNOWN_DAY - 1);
    const unknown = allColumns({ ...late, panel: before, history: regimeHistory(before) });
    const now = allColumns(inputsOf(bars, new Panel({ ...late.panel.columns, late_factors: [] })));
    const columns = allColumns(late);
    for (const name of NAMES) {
      for (const [day, expected] of [
        [KNOWN_DAY - 1, unknown],
        [KNOWN_DAY, now],
      ] as const) {
        expect(valuesOn(columns, name, day, columns.tickers), name).toEqual(
          valuesOn(expected, name, day, columns.tickers),
        );
      }
    }
  });

  test('leaves the days before it in the terms of then, which later days are not compared with', () => {
    const columns = marketColumns(['close'], late, { firstDay: ROW_DAY - 3, lastDay: KNOWN_DAY + 2 });
    const { factors } = columns.fields['close'] as { factors: Float32Array };
    const ofStock = Array.from(
      { length: columns.dayCount },
      (_, day) => factors[day * columns.tickers.length + 1]!,
    );
    const before = ofStock[0]!;
    expect(ofStock.map((factor) => factor / before)).toEqual([1, 1, 1, -1, -1, -1, -1, 0.5, 0.5, 0.5]);
  });
});
