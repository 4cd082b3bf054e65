import type { RecordBatch } from 'apache-arrow';
import { epochDayValues, numericValues } from './arrow-batch.ts';
import { epochDayFromIso } from '#foundation/iso-day.ts';
import { sharedColumn } from '#quant/panel/panel-columns.ts';
import type { DaySpan } from '#quant/panel/ranges.ts';
import type { Panel } from '#quant/panel/panel.ts';
import {
  FLOW_NUMBERS,
  GROSS_ROWS,
  MARKETS,
  NET_ROWS,
  type FlowBrokers,
  type FlowColumns,
  type FlowRowColumns,
} from '#quant/broker-rows/broker-flow.ts';
import { FlowRowsBuilder } from './flow-rows-builder.ts';
import type { SharedMonths } from './shared-months.ts';

const EPOCH_DAYS = 65_536;

/**
 * Places rows into {@link FlowColumns}. Batches identify a stock-day by `is_nego` (0 or 1), `ticker_number` (index in the panel
 * + 1, 0 for none) and `date`. Append every batch of counts first, then every batch of rows. Batches may come in any order, as
 * long as the rows of one stock-day ascend by broker. A row without a count is refused, and so is a count without its rows.
 * Months that are already in memory are copied instead: their counts along with the counts, their rows along with the rows.
 */
export class FlowBuilder {
  readonly #columns: Omit<FlowColumns, keyof FlowRowColumns>;
  readonly #dayCount: number;
  /** By days since 1970: calendar index relative to the first held day. */
  readonly #slotOfEpochDay = new Int32Array(EPOCH_DAYS).fill(-1);
  #rows: FlowRowsBuilder | undefined;
  /** Position of the next row of each group. */
  #next: Uint32Array | undefined;

  constructor(panel: Panel, { firstDay, lastDay }: DaySpan, brokers: FlowBrokers) {
    this.#dayCount = Math.max(0, lastDay + 1 - firstDay);
    const groups = MARKETS.length * panel.tickerCount * this.#dayCount;
    this.#columns = {
      brokers,
      firstDay,
      lastDay,
      tickerCount: panel.tickerCount,
      offsets: sharedColumn(Uint32Array, groups + 1),
      mode: new Uint8Array(new SharedArrayBuffer(groups)),
    };
    for (let slot = 0; slot < this.#dayCount; slot++) {
      this.#slotOfEpochDay[epochDayFromIso(panel.columns.dates[firstDay + slot]!)] = slot;
    }
  }

  /** Appends a batch with `row_count` and `is_net` of each stock-day. */
  appendCounts(batch: RecordBatch): void {
    const counts = numericValues(batch, 'row_count');
    const isNet = numericValues(batch, 'is_net');
    const { offsets, mode } = this.#columns;
    this.#forEachGroup(batch, (group, row) => {
      offsets[group + 1]! += counts[row]!;
      mode[group] = isNet[row] === 1 ? NET_ROWS : GROSS_ROWS;
    });
  }

  copyCounts(shared: SharedMonths): void {
    const { offsets, mode } = this.#columns;
    const held = shared.held.flow.columns;
    for (const { heldGroup, group, count } of shared.ranges()) {
      for (let i = 0; i < count; i++) {
        offsets[group + i + 1]! += held.offsets[heldGroup + i + 1]! - held.offsets[heldGroup + i]!;
      }
      mode.set(held.mode.subarray(heldGroup, heldGroup + count), group);
    }
  }

  appendRows(batch: RecordBatch): void {
    const { rows, next } = this.#allocated();
    const numbers = FLOW_NUMBERS.map((name) => [rows.numbers[name], numericValues(batch, name)] as const);
    const brokers = numericValues(batch, 'broker_number');
    const { offsets } = this.#columns;
    this.#forEachGroup(batch, (group, row) => {
      const at = next[group]!++;
      if (at >= offsets[group + 1]!) throw new RangeError('more rows of a stock-day than were counted');
      rows.broker[at] = brokers[row]! - 1;
      for (const [column, values] of numbers) column.set(at, values[row]!);
    });
  }

  copyRows(shared: SharedMonths): void {
    const { rows, next } = this.#allocated();
    const { brokers, offsets } = this.#columns;
    const held = shared.held.flow.columns;
    const numbers = shared.brokerNumbers(brokers);
    for (const { heldGroup, group, count } of shared.ranges()) {
      const [from, to] = [held.offsets[heldGroup]!, held.offsets[heldGroup + count]!];
      const at = next[group]!;
      for (const name of FLOW_NUMBERS) rows.numbers[name].copy(held[name], from, to, at);
      for (let row = from; row < to; row++) rows.broker[at + row - from] = numbers[held.broker[row]!]!;
      next.set(offsets.subarray(group + 1, group + count + 1), group);
    }
  }

  finish(): FlowColumns {
    const { rows, next } = this.#allocated();
    const { offsets } = this.#columns;
    for (let group = 0; group < next.length; group++) {
      if (next[group] !== offsets[group + 1])
        throw new RangeError('fewer rows of a stock-day than were counted');
    }
    return { ...this.#columns, ...rows.finish() };
  }

  /** Turns counts into offsets, once, and allocates the rows. */
  #allocated(): { rows: FlowRowsBuilder; next: Uint32Array } {
    if (this.#rows && this.#next) return { rows: this.#rows, next: this.#next };
    const { offsets } = this.#columns;
    for (let group = 1; group < offsets.length; group++) offsets[group]! += offsets[group - 1]!;
    const rowCount = offsets.at(-1)!;
    this.#next = offsets.slice(0, -1);
    this.#rows = new FlowRowsBuilder(rowCount, this.#columns.brokers);
    return { rows: this.#rows, next: this.#next };
  }

  #forEachGroup(batch: RecordBatch, onRow: (group: number, row: number) => void): void {
    const isNego = numericValues(batch, 'is_nego');
    const tickers = numericValues(batch, 'ticker_number');
    const days = epochDayValues(batch, 'date');
    const { tickerCount } = this.#columns;
    for (let row = 0; row < batch.numRows; row++) {
      const [ticker, slot] = [tickers[row]! - 1, this.#slotOfEpochDay[days[row]!]!];
      if (ticker < 0 || slot < 0) throw new RangeError('a broker row of a stock or a day without bars');
      onRow((isNego[row]! * tickerCount + ticker) * this.#dayCount + slot, row);
    }
  }
}
