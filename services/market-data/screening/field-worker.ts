import { workerData } from 'node:worker_threads';
import { fieldsWith } from '#fields/catalogue/catalogue.ts';
import { fieldColumns, marketColumns } from '#fields/catalogue/columns.ts';
import type { FactHistory } from '#fields/values/fact-history.ts';
import { factField } from '#fields/catalogue/facts.ts';
import type { ModelResultDays } from '#fields/values/model-result-days.ts';
import { Factors } from '#fields/values/restating-factors.ts';
import type { FieldInputs } from '#fields/values/stock.ts';
import { evaluateDay, evaluateDays, type DayMatches, type DaysMatches } from '#fields/evaluation/evaluate.ts';
import { explain, type Explanation } from '#fields/evaluation/explain.ts';
import { exactValueAt, valueAt, type MarketColumns } from '#fields/evaluation/market-columns.ts';
import { pastFigures, type PastFigures } from '#fields/past/past-figures.ts';
import { PastMarket } from '#fields/past/past-market.ts';
import { pastPicks, type PastPicks } from '#fields/past/past-picks.ts';
import { loadBrokerClasses, loadBrokerMonth } from '#market-reader/read-broker-month.ts';
import { LOOKBACK_DAYS } from '#quant/broker-features/gross-features.ts';
import { BrokerDays } from '#quant/broker-measures/broker-days.ts';
import { refuseUnwanted, type MayBeUnwanted } from '#foundation/unwanted.ts';
import type { Barriers } from '#quant/labels/triple-barrier.ts';
import { Panel } from '#quant/panel/panel.ts';
import type { DaySpan } from '#quant/panel/ranges.ts';
import { regimeHistory, type RegimeHistory } from '#quant/regime/regime.ts';
import { connectClickHouse } from '#platform/clickhouse/clickhouse.ts';
import { readArrow } from '#platform/clickhouse/clickhouse-arrow.ts';
import { readFactHistory, type StoredFact } from '../store/fact-store.ts';
import { readModelResults } from '../model-results/read-model-results.ts';
import { wholeCompanyName } from '../responses/company-name.ts';
import type { EvaluatedColumns, Evaluation, ThreadMarket } from './field-tasks.ts';

/** The limit for a silent connection. The caller has a deadline for the whole work. */
const SILENCE_MS = 30_000;

const { clickhouseAt, version, kind, segments, panel: panelColumns } = workerData as ThreadMarket;
const panel = new Panel(panelColumns);
const brokerDays = new BrokerDays(panel);
const readSegments = new Set<string>();
let history: RegimeHistory | undefined;
let pasts: PastMarket | undefined;

function inputsWith(more: Pick<FieldInputs, 'facts' | 'modelResults' | 'isUnwanted'> = {}): FieldInputs {
  return {
    ...more,
    panel,
    brokerDays,
    get history() {
      return regimes();
    },
  };
}

/** Somebody still waits as long as the flag is 0. */
function readsFrom(flag: Uint8Array): Required<MayBeUnwanted> {
  return { isUnwanted: () => Atomics.load(flag, 0) === 1 };
}

/** Reads the whole market, and few fields need it. */
function regimes(): RegimeHistory {
  return (history ??= regimeHistory(panel));
}

/** Which stocks have a row, and which count in ranks. */
export function marksOf(span: DaySpan): Pick<EvaluatedColumns, 'listed' | 'liquid'> {
  const { listed, liquid } = marketColumns([], inputsWith(), span);
  return { listed, liquid };
}

/** @throws Error when a field needs what ClickHouse stores and ClickHouse is unavailable, or when nobody waits any more */
export async function compute({
  names,
  span,
  facts,
  models,
  isUnwanted,
}: {
  names: string[];
  span: DaySpan;
  /** Those among the names. */
  facts: StoredFact[];
  /** Ids of the models whose results are among the names and have any. */
  models: string[];
  /** 1 once nobody waits any more. */
  isUnwanted: Uint8Array;
}): Promise<EvaluatedColumns['fields']> {
  const fields = fieldsWith(facts.map((fact) => factField(fact)));
  const needsBrokers = names.some((name) => fields.get(name)!.needs.includes('broker_days'));
  if (needsBrokers) await readBrokerMonths(span, isUnwanted);
  const stored = await readStored(facts, models, span);
  const inputs = inputsWith({ ...stored, ...readsFrom(isUnwanted) });
  return Object.fromEntries(fieldColumns(names, inputs, span, { factors: new Factors(panel, span), fields }));
}

/** Values of facts and results of models, which are not kept: the columns that are made of them are. */
async function readStored(
  facts: readonly StoredFact[],
  models: readonly string[],
  span: DaySpan,
): Promise<Pick<FieldInputs, 'facts' | 'modelResults'>> {
  const histories = new Map<string, FactHistory>();
  const modelResults = new Map<string, ModelResultDays>();
  if (facts.length + models.length === 0) return {};
  const client = connectClickHouse(clickhouseAt, SILENCE_MS);
  try {
    for (const fact of facts) histories.set(fact.name, await readFactHistory(client, fact, panel));
    for (const modelId of models)
      modelResults.set(modelId, await readModelResults(client, { kind, modelId }, panel, span));
  } finally {
    await client.close();
  }
  return { facts: histories, modelResults };
}

/** Reads the months of the days, and of those before them that fields of brokers look back to. */
async function readBrokerMonths({ firstDay, lastDay }: DaySpan, isUnwanted: Uint8Array): Promise<void> {
  const { dates } = panel.columns;
  const days = dates.slice(Math.max(0, firstDay - LOOKBACK_DAYS), lastDay + 1);
  const months = new Set(days.map((date) => date.slice(0, 7)));
  const missing = segments.filter((segment) => months.has(segment.slice(0, 7)) && !readSegments.has(segment));
  if (missing.length === 0) return;
  const client = connectClickHouse(clickhouseAt, SILENCE_MS);
  try {
    const read = (query: string, params: Record<string, unknown>) => readArrow(client, query, params);
    const classes = await loadBrokerClasses(read, version);
    for (const segment of missing) {
      refuseUnwanted(readsFrom(isUnwanted));
      brokerDays.add(await loadBrokerMonth(read, panel, segment, classes));
      readSegments.add(segment);
    }
  } finally {
    await client.close();
  }
}

/** The stocks that pass. */
interface ScreenedDay extends Pick<DayMatches, 'matched'> {
  /** With their names, what the rules read of them, and what the requested columns say. */
  rowsJson: Uint8Array;
}

/** Rows become JSON here: hundreds with fifty values each would hold up whatever else goes through the services that pass them on. */
export function screen({ also, ...evaluation }: Evaluation & { also: readonly string[] }): ScreenedDay {
  const market = marketOf(evaluation);
  const { rules, day } = evaluation;
  const { matched, stocks } = evaluateDay(rules, market, day);
  const rows = stocks.map(({ ticker, values }) => {
    const stock = panel.tickerIndex(ticker);
    const at = day * panel.tickerCount + stock;
    const name = wholeCompanyName(ticker, panel.columns.listing.name[stock] ?? '') ?? null;
    const others = Object.fromEntries(also.map((field) => [field, valueAt(market.fields[field]!, at)]));
    return { ticker, name, values: { ...values, ...others } };
  });
  return { matched, rowsJson: new TextEncoder().encode(JSON.stringify(rows)) };
}

/** What fields say of the stocks with a row on a day. */
export interface DayValuesJson {
  /** Indices of their tickers, ascending. */
  stocks: Uint16Array;
  /** An object with a list for each field: its value for each of the stocks, exact for numbers. */
  json: string;
}

export function valuesOfDay({ fields, listed }: EvaluatedColumns): DayValuesJson {
  const stocks = Uint16Array.from([...listed.keys()].filter((stock) => listed[stock] === 1));
  const lists = Object.entries(fields).map(([name, column]) => {
    const values = Array.from(stocks, (stock) => exactValueAt(column, stock));
    return `${JSON.stringify(name)}:${JSON.stringify(values)}`;
  });
  return { stocks, json: `{${lists.join()}}` };
}

/** How a stock stands to rules. */
interface ExplainedStock {
  explanation: Explanation | undefined;
  /** Among all stocks that pass, from 1; 0 if it does not pass. */
  place: number;
}

export function explainStock({ stock, ...evaluation }: Evaluation & { stock: number }): ExplainedStock {
  const market = marketOf(evaluation);
  const { rules, day } = evaluation;
  const { limit: _, ...all } = rules;
  const { stocks } = evaluateDay(all, market, day);
  const ticker = panel.columns.tickers[stock]!;
  return {
    explanation: explain(rules, market, day, stock),
    place: 1 + stocks.findIndex((match) => match.ticker === ticker),
  };
}

/** A stock that entered or left a screen, and what its rules said of it before and after. */
export interface ComparedStock {
  ticker: string;
  before: Explanation | undefined;
  after: Explanation | undefined;
}

interface ScreenedMembers {
  tickers: string[];
  entered: ComparedStock[];
  left: ComparedStock[];
}

/** The members of a screen on a day, compared with those of an earlier day. */
export function follow({
  previous,
  ...evaluation
}: Evaluation & { previous?: { day: number; tickers: readonly string[] } | undefined }): ScreenedMembers {
  const market = marketOf(evaluation);
  const { rules, day } = evaluation;
  const tickers = evaluateDay(rules, market, day).stocks.map(({ ticker }) => ticker);
  if (!previous) return { tickers, entered: [], left: [] };
  const compared = (ticker: string): ComparedStock => {
    refuseUnwanted(market);
    const stock = panel.tickerIndex(ticker);
    const on = (at: number) => (stock < 0 ? undefined : explain(rules, market, at, stock));
    return { ticker, before: on(previous.day), after: on(day) };
  };
  const [now, before] = [new Set(tickers), new Set(previous.tickers)];
  return {
    tickers,
    entered: tickers.filter((ticker) => !before.has(ticker)).map(compared),
    left: previous.tickers.filter((ticker) => !now.has(ticker)).map(compared),
  };
}

/** The members of a screen from `day` to the last day of the columns. */
export function membersOfDays(evaluation: Evaluation): DaysMatches {
  const market = marketOf(evaluation);
  const { rules, day: firstDay } = evaluation;
  return evaluateDays(rules, market, { firstDay, lastDay: market.dayCount - 1 });
}

/** What came of a screen from `day` to the last day of the columns. */
export function judge({
  firstDay,
  barriers,
  picks: given,
  ...evaluation
}: Evaluation & {
  /** The day of the panel that is day 0 of the columns. */
  firstDay: number;
  barriers: Barriers;
  /** Judged instead of those of the rules. */
  picks?: PastPicks['matches'] | undefined;
}): PastFigures {
  const market = marketOf(evaluation);
  const { rules, day } = evaluation;
  const lastDay = market.dayCount - 1;
  const picks = {
    span: { firstDay: firstDay + day, lastDay: firstDay + lastDay },
    matches: given ?? evaluateDays(rules, market, { firstDay: day, lastDay }),
    liquid: market.liquid.subarray(day * panel.tickerCount),
    isUnwanted: market.isUnwanted,
  };
  pasts ??= new PastMarket(panel);
  const { horizonDays } = barriers;
  return pastFigures(panel, pastPicks(pasts, picks, barriers), { horizonDays, regimes: regimes().regime });
}

/** The market as the screen sees it: stocks outside its universe are not there. */
function marketOf({ columns, universe, isUnwanted }: Omit<Evaluation, 'rules'>): MarketColumns {
  const { listed, ...read } = columns;
  const { tickers } = panel.columns;
  const inside = universe ? listed.map((isListed, at) => isListed & universe[at % universe.length]!) : listed;
  const dayCount = listed.length / tickers.length;
  return { tickers, dayCount, ...read, listed: inside, ...readsFrom(isUnwanted) };
}
