import type { BrokerDays } from '../broker-measures/broker-days.ts';
import { DayRanks, type ValuesToRank } from '../features/day-ranks.ts';
import type { FeatureTable } from '../features/feature-table.ts';
import { TrainingCancelled } from '../learning/boosting/trainer.ts';
import type { DaySpan } from '../panel/ranges.ts';
import { LOOKBACK_DAYS, type GrossFeature } from './gross-features.ts';
import { RowWindows, type FlowSettings } from './row-windows.ts';

/** Ranks are bytes from 0 to 254. They are mapped to -1 to 1. */
const MIDDLE_RANK = 127;

/** Ranks of the rows of consecutive days. */
interface Stretch {
  /** Rows of the feature table, `to` exclusive. */
  from: number;
  to: number;
  /** One feature after the other. */
  ranks: Uint8Array;
}

/** Values of the rows of consecutive days, before they are ranked. */
interface SpanValues {
  span: DaySpan;
  /** Rows of the feature table, `to` exclusive. */
  from: number;
  to: number;
  /** By feature. The last value, NaN, stands for all rows that are not wanted. */
  columns: Float32Array[];
  /** The index of each row's value. */
  place: Uint32Array;
  /** How many values have been computed. */
  count: number;
}

/** By calendar index. */
type Stretches = (Stretch | undefined)[];

/**
 * Ranks of gross features for rows of the feature table, taken among the reference names of each day, as the table's own
 * ranks are. A day is computed when it is first read, and cached. Before that, `brokerDays` must hold the months of the day
 * and of the {@link LOOKBACK_DAYS} days before it; days that it does not hold count as unknown.
 */
export class GrossRanks {
  readonly names: readonly string[];
  readonly #table: FeatureTable;
  readonly #brokerDays: BrokerDays;
  readonly #features: readonly GrossFeature[];
  readonly #settings: FlowSettings;
  /** Ranks of all rows. */
  readonly #whole: Stretches;
  /**
   * Ranks of reference names only. They save computing the other names, which are almost half of the rows. They are cached
   * separately because on a day with too few reference names the others take part in the ranking, and a result must not
   * depend on what was read before.
   */
  readonly #ofReferences: Stretches;

  constructor(
    table: FeatureTable,
    brokerDays: BrokerDays,
    features: readonly GrossFeature[],
    settings: FlowSettings,
  ) {
    this.names = features.map(({ name }) => name);
    this.#table = table;
    this.#brokerDays = brokerDays;
    this.#features = features;
    this.#settings = settings;
    this.#whole = new Array<Stretch | undefined>(table.panel.dayCount).fill(undefined);
    this.#ofReferences = [...this.#whole];
  }

  /**
   * Writes the features of `rows` (ascending) to `out`, one array for each feature: -1 to 1, and 0 where a feature is not
   * defined.
   * @throws TrainingCancelled when `shouldStop`, called between stocks, returns true.
   */
  read(rows: Uint32Array, out: readonly Float32Array[], shouldStop = () => false): void {
    const isWhole = rows.some((row) => this.#table.references[row] === 0);
    const stretches = isWhole ? this.#whole : this.#ofReferences;
    for (const spans of withSharedWindows(this.#missing(rows, stretches))) {
      for (const values of this.#values(spans, isWhole, shouldStop)) {
        stretches.fill(this.#ranked(values), values.span.firstDay, values.span.lastDay + 1);
      }
    }
    for (let first = 0, end = 0; first < rows.length; first = end) {
      const { from, to, ranks } = stretches[this.#table.dayOf(rows[first]!)]!;
      while (end < rows.length && rows[end]! < to) end++;
      for (const [feature, column] of out.entries()) {
        const start = feature * (to - from) - from;
        for (let i = first; i < end; i++) column[i] = (ranks[start + rows[i]!]! - MIDDLE_RANK) / MIDDLE_RANK;
      }
    }
  }

  /** Days of the rows that are not cached, adjacent days merged into spans. */
  #missing(rows: Uint32Array, stretches: Stretches): DaySpan[] {
    const missing: DaySpan[] = [];
    for (let first = 0, end = 0; first < rows.length; first = end) {
      const day = this.#table.dayOf(rows[first]!);
      const { to } = this.#table.rowsOf(day);
      while (end < rows.length && rows[end]! < to) end++;
      if (stretches[day]) continue;
      const last = missing.at(-1);
      if (last?.lastDay === day - 1) last.lastDay = day;
      else missing.push({ firstDay: day, lastDay: day });
    }
    return missing;
  }

  #ranked({ span, from, to, columns, place }: SpanValues): Stretch {
    const { dayStarts } = this.#table.columns;
    const ranks = new Uint8Array(columns.length * (to - from));
    const dayRanks = new DayRanks(to - from);
    for (const [feature, values] of columns.entries()) {
      const out = ranks.subarray(feature * (to - from), (feature + 1) * (to - from));
      const toRank: ValuesToRank = {
        bits: new Uint32Array(values.buffer),
        place,
        isReference: this.#table.references.subarray(from, to),
      };
      for (let day = span.firstDay; day <= span.lastDay; day++) {
        dayRanks.rank(dayStarts[day]! - from, dayStarts[day + 1]! - from, toRank, out);
      }
    }
    return { from, to, ranks };
  }

  /** Takes one stock after the other, so that each stock's days are loaded once for all spans. */
  #values(spans: readonly DaySpan[], isWhole: boolean, shouldStop: () => boolean): SpanValues[] {
    const { averageValue } = this.#table.columns;
    const earliest = Math.max(0, spans[0]!.firstDay - LOOKBACK_DAYS);
    const windows = new RowWindows(this.#brokerDays, this.#settings, spans.at(-1)!.lastDay + 1 - earliest);
    const all = spans.map((span) => this.#unread(span));
    for (const [ticker, rows] of this.#rowsByTicker(all, isWhole)) {
      if (shouldStop()) throw new TrainingCancelled();
      windows.turnTo(ticker, earliest, this.#table.dayOf(rows.at(-1)!));
      let ofSpan = 0;
      for (const row of rows) {
        while (row >= all[ofSpan]!.to) ofSpan++;
        const values = all[ofSpan]!;
        windows.moveTo(this.#table.dayOf(row) - earliest, averageValue[row]!);
        for (let feature = 0; feature < this.#features.length; feature++) {
          values.columns[feature]![values.count] = this.#features[feature]!.of(windows);
        }
        values.place[row - values.from] = values.count++;
      }
    }
    return all;
  }

  #unread(span: DaySpan): SpanValues {
    const { dayStarts } = this.#table.columns;
    const [from, to] = [dayStarts[span.firstDay]!, dayStarts[span.lastDay + 1]!];
    const columns = this.#features.map(() => new Float32Array(to - from + 1).fill(NaN, to - from));
    return { span, from, to, columns, place: new Uint32Array(to - from).fill(to - from), count: 0 };
  }

  /** Rows ascend within each ticker. */
  #rowsByTicker(spans: readonly SpanValues[], isWhole: boolean): Map<number, number[]> {
    const { columns, references } = this.#table;
    const { ticker } = columns;
    const byTicker = new Map<number, number[]>();
    for (const { from, to } of spans) {
      for (let row = from; row < to; row++) {
        if (!isWhole && references[row] === 0) continue;
        const rows = byTicker.get(ticker[row]!);
        if (rows) rows.push(row);
        else byTicker.set(ticker[row]!, [row]);
      }
    }
    return byTicker;
  }
}

/**
 * Groups ascending spans so that the windows of each begin before the one before it ends. Models learn from days apart: alone,
 * each of these days would load the days of its windows again.
 */
function withSharedWindows(spans: readonly DaySpan[]): DaySpan[][] {
  const groups: DaySpan[][] = [];
  for (const span of spans) {
    const group = groups.at(-1);
    if (group && span.firstDay - LOOKBACK_DAYS <= group.at(-1)!.lastDay) group.push(span);
    else groups.push([span]);
  }
  return groups;
}

/** Number of stock-days of reference names, and how many of them have complete broker rows. */
export interface Coverage {
  stockDays: number;
  known: number;
}

/** Coverage of the days from `firstDay` to `lastDay` (calendar indices, both included). */
export function brokerCoverage(
  { columns, references }: FeatureTable,
  brokerDays: BrokerDays,
  { firstDay, lastDay }: DaySpan,
): Coverage {
  const { dayStarts, ticker } = columns;
  const coverage = { stockDays: 0, known: 0 };
  for (let day = firstDay; day <= lastDay; day++) {
    for (let row = dayStarts[day]!; row < dayStarts[day + 1]!; row++) {
      if (references[row] === 0) continue;
      coverage.stockDays++;
      if (brokerDays.isKnown(ticker[row]!, day)) coverage.known++;
    }
  }
  return coverage;
}
