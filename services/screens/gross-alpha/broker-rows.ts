import { LOOKBACK_DAYS, FLOW_FEATURES, SHORT_FEATURES } from '#quant/broker-features/gross-features.ts';
import { brokerCoverage, type Coverage, GrossRanks } from '#quant/broker-features/gross-ranks.ts';
import type { DaySpan } from '#quant/panel/ranges.ts';
import type { BrokerDays } from '#quant/broker-measures/broker-days.ts';
import type { Panel } from '#quant/panel/panel.ts';
import type { FeatureTable } from '#quant/features/feature-table.ts';
import { longDate, oneDecimal, plainNumber } from '#shared/text/indonesian.ts';
import { rounded } from '../display.ts';
import { EMBARGO_DAYS } from '../learnt/training.ts';
import { RunFailure, spanUpTo } from '../screen.ts';
import type { GrossAlphaParams } from './model.ts';
import type { FlowSettings } from '#quant/broker-features/row-windows.ts';
import type { ExtraFeatures } from '../learnt/learnt-market.ts';

/** Trading days after which a position is given up. */
export const HORIZON_DAYS = 20;

type Days = Pick<GrossAlphaParams, 'flow_window' | 'train_days'>;

/** Days that an analysis of a day (calendar index) learns from. */
function trainingSpan(day: number, { train_days }: Pick<Days, 'train_days'>): DaySpan {
  const lastDay = day - HORIZON_DAYS - EMBARGO_DAYS;
  return { firstDay: Math.max(0, lastDay + 1 - train_days), lastDay };
}

/** Days of the broker window of a day. */
function windowSpan(day: number, { flow_window }: Pick<Days, 'flow_window'>): DaySpan {
  return { firstDay: Math.max(0, day + 1 - flow_window), lastDay: day };
}

/** All days of which a run reads broker rows. */
export function brokerDaySpan(
  panel: Panel,
  { train_days }: Pick<GrossAlphaParams, 'train_days'>,
  analysisDate: string,
): DaySpan | undefined {
  const days = LOOKBACK_DAYS + train_days + EMBARGO_DAYS + HORIZON_DAYS;
  return spanUpTo(panel, analysisDate, days);
}

/** Below this share of stock-days most features of a day would be those of the names that happen to have rows. */
const MIN_COVERED_PCT = 80;

/** Share of the stock-days of liquid names whose broker rows are whole, in percent with one decimal. */
export interface BrokerCoverage {
  window_pct: number;
  training_pct: number;
}

/** @throws RunFailure when the broker rows cover too little of the window, or of what is learnt from. */
export function requireBrokerRows(
  table: FeatureTable,
  brokerDays: BrokerDays,
  day: number,
  params: GrossAlphaParams,
): BrokerCoverage {
  const [window, training] = [windowSpan(day, params), trainingSpan(day, params)];
  return {
    window_pct: require(table, brokerDays, window, 'jendela analisis'),
    training_pct: require(table, brokerDays, training, 'masa belajar'),
  };
}

function require(table: FeatureTable, brokerDays: BrokerDays, span: DaySpan, name: string): number {
  const coverage = brokerCoverage(table, brokerDays, span);
  if (100 * coverage.known >= MIN_COVERED_PCT * coverage.stockDays) return percent(coverage);
  const { dates } = table.panel.columns;
  throw new RunFailure(
    'Data broker belum lengkap untuk tanggal ini, jadi model tidak dapat dijalankan. ' +
      `Pada ${name} ${longDate(dates[span.firstDay]!)} sampai ${longDate(dates[span.lastDay]!)}, data broker ` +
      `baru mencakup ${oneDecimal(roundedDown(coverage))}% transaksi harian saham likuid, sedangkan model ` +
      `memerlukan ${plainNumber(MIN_COVERED_PCT)}%.`,
  );
}

/** 100 of none. */
function percent({ known, stockDays }: Coverage): number {
  return stockDays === 0 ? 100 : rounded((100 * known) / stockDays, 1);
}

/** So that what is not enough never reads as if it were. */
function roundedDown({ known, stockDays }: Coverage): number {
  return Math.floor((1000 * known) / stockDays) / 10;
}

/** Windows and groups whose ranks are kept: those of the last runs. Each takes up to some 10 MB. */
const KEPT_SETTINGS = 3;
/** The short features have no window of their own and follow no group. */
const ANY_SETTINGS: FlowSettings = { days: 1, group: 'all' };

const kept = new WeakMap<BrokerDays, GrossColumns>();

/** The gross features of a market. What runs have worked out is kept as long as the broker days are. */
export function grossColumns(table: FeatureTable, brokerDays: BrokerDays): GrossColumns {
  const columns = kept.get(brokerDays) ?? new GrossColumns(table, brokerDays);
  kept.set(brokerDays, columns);
  return columns;
}

class GrossColumns {
  readonly #table: FeatureTable;
  readonly #brokerDays: BrokerDays;
  readonly #short: GrossRanks;
  /** Latest used last. */
  readonly #flow = new Map<string, GrossRanks>();

  constructor(table: FeatureTable, brokerDays: BrokerDays) {
    this.#table = table;
    this.#brokerDays = brokerDays;
    this.#short = new GrossRanks(table, brokerDays, SHORT_FEATURES, ANY_SETTINGS);
  }

  /** @param shouldStop asked while they are worked out; true ends that with TrainingCancelled */
  extraFeatures(settings: FlowSettings, shouldStop: () => boolean): ExtraFeatures {
    const [short, flow] = [this.#short, this.#flowOf(settings)];
    const shortCount = short.names.length;
    return {
      names: [...short.names, ...flow.names],
      key: keyOf(settings),
      read: (rows, out) => {
        short.read(rows, out.slice(0, shortCount), shouldStop);
        flow.read(rows, out.slice(shortCount), shouldStop);
      },
    };
  }

  /** By how much the group buys these rows, ascending, of the feature table: 0 to 100, its place among the day's names. */
  groupPlaces(rows: Uint32Array, settings: FlowSettings): Float64Array {
    const flow = this.#flowOf(settings);
    const out = flow.names.map(() => new Float32Array(rows.length));
    flow.read(rows, out);
    return Float64Array.from(out[flow.names.indexOf('group_net_flow')]!, (rank) => 50 * (1 + rank));
  }

  #flowOf(settings: FlowSettings): GrossRanks {
    const key = keyOf(settings);
    const flow =
      this.#flow.get(key) ?? new GrossRanks(this.#table, this.#brokerDays, FLOW_FEATURES, settings);
    this.#flow.delete(key);
    this.#flow.set(key, flow);
    if (this.#flow.size > KEPT_SETTINGS) this.#flow.delete(this.#flow.keys().next().value!);
    return flow;
  }
}

function keyOf({ group, days }: FlowSettings): string {
  return `${group}/${days}`;
}
