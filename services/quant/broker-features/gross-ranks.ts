import type { BrokerDays } from '../broker-measures/broker-days.ts';
import { DayRanks, type ValuesToRank } from '../features/day-ranks.ts';
import { isReference, type FeatureTable } from '../features/feature-table.ts';
import { TrainingCancelled } from '../learning/boosting/trainer.ts';
import type { DaySpan } from '../panel/ranges.ts';
import { LOOKBACK_DAYS, type GrossFeature } from './gross-features.ts';
import { RowWindows, type FlowSettings } from './row-windows.ts';

/** Ranks of a byte, 0 to 254, are spread over -1 to 1. */
const MIDDLE_RANK = 127;

/** Ranks of the rows of consecutive days. */
interface Stretch {
  /** Rows of the feature table, `to` exclusive. */
  from: number;
  to: number;
  /** One feature after the other. */
  ranks: Uint8Array;
}

/** By calendar index. */
type Stretches = (Stretch | undefined)[];

/**
 * Ranks of gross features for rows of the feature table, among the reference names of their day, as the table's own.
 * A day is worked out when it is first read, and kept. By then `brokerDays` must have been given the months of it and of
 * {@link LOOKBACK_DAYS} before; what is not there counts as not known.
 */
export class GrossRanks {
  readonly names: readonly string[];
  readonly #table: FeatureTable;
  readonly #brokerDays: BrokerDays;
  readonly #features: readonly GrossFeature[];
  readonly #settings: FlowSettings;
  /** Of each row of the table. */
  readonly #isReference: Uint8Array;
  /** Of all rows. */
  readonly #whole: Stretches;
  /**
   * Of reference names, without working out the others, which are almost half of the rows. Kept apart, because on a day
   * with too few of them the others are part of the measure, and what is read must not depend on what was read before.
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
    this.#isReference = referencesOf(table);
    this.#whole = new Array<Stretch | undefined>(table.panel.dayCount).fill(undefined);
    this.#ofReferences = [...this.#whole];
  }

  /**
   * Writes the features of these rows, ascending, one array a feature: -1 to 1, 0 where one is not defined.
   * @throws TrainingCancelled when `shouldStop`, asked between stocks, says so.
   */
  read(rows: Uint32Array, out: readonly Float32Array[], shouldStop = () => false): void {
    const isWhole = rows.some((row) => this.#isReference[row] === 0);
    const stretches = isWhole ? this.#whole : this.#ofReferences;
    for (const span of this.#missing(rows, stretches)) {
      stretches.fill(this.#compute(span, isWhole, shouldStop), span.firstDay, span.lastDay + 1);
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

  /** Days of the rows that are not kept, neighbours together. */
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

  #compute({ firstDay, lastDay }: DaySpan, isWhole: boolean, shouldStop: () => boolean): Stretch {
    const { dayStarts } = this.#table.columns;
    const [from, to] = [dayStarts[firstDay]!, dayStarts[lastDay + 1]!];
    const { columns, place } = this.#values({ firstDay, lastDay }, isWhole, shouldStop);
    const ranks = new Uint8Array(columns.length * (to - from));
    const dayRanks = new DayRanks(to - from);
    for (const [feature, values] of columns.entries()) {
      const out = ranks.subarray(feature * (to - from), (feature + 1) * (to - from));
      const toRank: ValuesToRank = {
        bits: new Uint32Array(values.buffer),
        place,
        isReference: this.#isReference.subarray(from, to),
      };
      for (let day = firstDay; day <= lastDay; day++) {
        dayRanks.rank(dayStarts[day]! - from, dayStarts[day + 1]! - from, toRank, out);
      }
    }
    return { from, to, ranks };
  }

  /**
   * One stock after the other, so that its days are gathered once; `place` says where the value of a row is. The last
   * value stands for all rows that are not wanted.
   */
  #values({ firstDay, lastDay }: DaySpan, isWhole: boolean, shouldStop: () => boolean) {
    const { dayStarts, averageValue } = this.#table.columns;
    const [from, to] = [dayStarts[firstDay]!, dayStarts[lastDay + 1]!];
    const earliest = Math.max(0, firstDay - LOOKBACK_DAYS);
    const windows = new RowWindows(this.#brokerDays, this.#settings, lastDay + 1 - earliest);
    const columns = this.#features.map(() => new Float32Array(to - from + 1).fill(NaN, to - from));
    const place = new Uint32Array(to - from).fill(to - from);
    let next = 0;
    for (const [ticker, rows] of this.#rowsByTicker(from, to, isWhole)) {
      if (shouldStop()) throw new TrainingCancelled();
      windows.turnTo(ticker, earliest, this.#table.dayOf(rows.at(-1)!));
      for (const row of rows) {
        windows.moveTo(this.#table.dayOf(row) - earliest, averageValue[row]!);
        for (let feature = 0; feature < columns.length; feature++) {
          columns[feature]![next] = this.#features[feature]!.of(windows);
        }
        place[row - from] = next++;
      }
    }
    return { columns, place };
  }

  /** Ascending within each ticker. */
  #rowsByTicker(from: number, to: number, isWhole: boolean): Map<number, number[]> {
    const { ticker } = this.#table.columns;
    const byTicker = new Map<number, number[]>();
    for (let row = from; row < to; row++) {
      if (!isWhole && this.#isReference[row] === 0) continue;
      const rows = byTicker.get(ticker[row]!);
      if (rows) rows.push(row);
      else byTicker.set(ticker[row]!, [row]);
    }
    return byTicker;
  }
}

function referencesOf({ columns, panel }: FeatureTable): Uint8Array {
  const { panelRow, averageValue } = columns;
  const { close } = panel.columns;
  const references = new Uint8Array(panelRow.length);
  for (let row = 0; row < panelRow.length; row++) {
    references[row] = Number(isReference(close[panelRow[row]!]!, averageValue[row]!));
  }
  return references;
}

/** How many stock-days of the reference names there are, and of how many the broker rows are whole. */
export interface Coverage {
  stockDays: number;
  known: number;
}

/** Of the days between two calendar indices, both included. */
export function brokerCoverage(
  { columns, panel }: FeatureTable,
  brokerDays: BrokerDays,
  { firstDay, lastDay }: DaySpan,
): Coverage {
  const { dayStarts, ticker, panelRow, averageValue } = columns;
  const { close } = panel.columns;
  const coverage = { stockDays: 0, known: 0 };
  for (let day = firstDay; day <= lastDay; day++) {
    for (let row = dayStarts[day]!; row < dayStarts[day + 1]!; row++) {
      if (!isReference(close[panelRow[row]!]!, averageValue[row]!)) continue;
      coverage.stockDays++;
      if (brokerDays.isKnown(ticker[row]!, day)) coverage.known++;
    }
  }
  return coverage;
}
