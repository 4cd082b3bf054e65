import { expect, test } from 'vitest';
import { MODELS } from '#models/registry.ts';
import { panelOf } from '#quant/panel/panel-fixture.ts';
import { evaluateDay } from '../evaluation/evaluate.ts';
import { valueAt } from '../evaluation/market-columns.ts';
import { parseRules } from '../rules/parse-rules.ts';
import { FIELDS } from './catalogue.ts';
import { marketColumns } from './columns.ts';
import { inputsOf } from './market-fixture.ts';
import { ModelResultDays } from '../values/model-result-days.ts';
import { fieldsOfModel, MODEL_RESULT_FIELDS } from './model-results.ts';

const DATES = ['2024-07-01', '2024-07-02', '2024-07-03', '2024-07-04', '2024-07-05'];
const TICKERS = ['AAAA', 'BBBB'];
const bars = TICKERS.flatMap((ticker) => DATES.map((date) => ({ ticker, date, close: 100 })));
const inputs = inputsOf(bars, panelOf(bars));
const SPAN = { firstDay: 0, lastDay: DATES.length - 1 };
const ID = 'model_f_combined';

/** A market in which model F ran on two days. */
function marketOf(names: readonly string[], span = SPAN) {
  const days = new ModelResultDays(inputs.panel, span);
  days.add(0, 1, { probability: 70, rank: 1, picked: 1 });
  days.add(1, 1, { probability: 60, rank: NaN, picked: 0 });
  days.add(0, 3, { probability: 55, rank: 2, picked: 0 });
  return marketColumns(names, { ...inputs, modelResults: new Map([[ID, days]]) }, span);
}

const valuesOf = (name: string, stock: number) => {
  const { fields, tickers } = marketOf([name]);
  return DATES.map((_, day) => valueAt(fields[name]!, day * tickers.length + stock));
};

test('the value of a day is that of the run of that day, and no other day has it', () => {
  expect(valuesOf(`${ID}.probability`, 0)).toEqual([null, 70, null, 55, null]);
  expect(valuesOf(`${ID}.rank`, 0)).toEqual([null, 1, null, 2, null]);
  expect(valuesOf(`${ID}.picked`, 0)).toEqual([null, true, null, false, null]);
});

test('a stock that a run scored and did not rank has no rank, and one that it did not score has nothing', () => {
  expect(valuesOf(`${ID}.probability`, 1)).toEqual([null, 60, null, null, null]);
  expect(valuesOf(`${ID}.rank`, 1)).toEqual(DATES.map(() => null));
  expect(valuesOf(`${ID}.picked`, 1)).toEqual([null, false, null, null, null]);
});

test('a model whose results were not read has none', () => {
  expect(valuesOf('gann_classic_v7.picked', 0)).toEqual(DATES.map(() => null));
});

test('rules compare them with other fields and with days before', () => {
  const names = [`${ID}.probability`, `${ID}.picked`, 'close', 'is_liquid'];
  const passing = (text: string, day: number) =>
    evaluateDay(parseRules(text, FIELDS), marketOf(names), day).stocks.map(({ ticker }) => ticker);
  expect(passing(`${ID}.probability > 65% and close > 50`, 1)).toEqual(['AAAA']);
  expect(passing(`${ID}.picked or ${ID}.probability >= 60`, 1)).toEqual(['AAAA', 'BBBB']);
  expect(passing(`change(${ID}.probability, 2d) < -10`, 3)).toEqual(['AAAA']);
  expect(passing(`${ID}.probability is null`, 2)).toEqual(['AAAA', 'BBBB']);
  expect(passing(`${ID}.probability crossed above 65 within 3 days`, 3)).toEqual([]);
});

test('every model that picks stocks has its fields, named after it, and a new one would have them too', () => {
  const named = MODELS.filter(({ picks }) => picks).flatMap(({ id, learns }) =>
    [...(learns ? ['probability'] : []), 'rank', 'picked'].map((figure) => `${id}.${figure}`),
  );
  expect(MODEL_RESULT_FIELDS.map(({ name }) => name)).toEqual(named);
  const model = { ...MODELS[0]!, id: 'model_g', name: 'Model G: New' };
  expect(fieldsOfModel(model).map(({ name }) => name)).toEqual(['probability', 'rank', 'picked'].map((figure) => `model_g.${figure}`)); // prettier-ignore
  expect(fieldsOfModel({ ...model, picks: false })).toEqual([]);
});
