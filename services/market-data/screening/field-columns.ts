import { LRUCache } from 'lru-cache';
import { isNumbers, type Column } from '#fields/evaluation/market-columns.ts';
import { modelsOf } from '#fields/catalogue/model-results.ts';
import { needsOf } from '#fields/rules/needs.ts';
import type { Rules } from '#fields/rules/rules.ts';
import { gapsWithin } from '#quant/panel/gaps.ts';
import type { DaySpan } from '#quant/panel/ranges.ts';
import type { ClickHouseAddress } from '#platform/clickhouse/address.ts';
import type { KnownFields } from './field-catalogue.ts';
import type { LoadedDataset } from '../in-memory/loaded-dataset.ts';
import type { EvaluatedColumns } from './field-tasks.ts';
import { FieldThreads } from './field-threads.ts';
import type { DayValuesJson } from './field-worker.ts';

/**
 * A field that takes longer for a whole market, in milliseconds, is computed only for the days that are asked for, and again for
 * others. Over five years of 930 stocks, most fields take half of this.
 */
const WHOLE_WITHIN_MS = 500;
const BYTES_PER_VALUE = 4;
/** Values of days, a megabyte each for all fields of 930 stocks. */
const KEPT_DAYS = 4;

/** What an evaluation reads, from a day on. */
export interface ColumnsOfDays extends EvaluatedColumns {
  /** The day of the panel that is day 0 of the columns. */
  firstDay: number;
}

/** Days that are evaluated, and fields that are read besides those of the rules. */
interface Wanted extends DaySpan {
  also?: readonly string[];
}

/** Computes the columns of one market on threads when rules first name their fields, and keeps them while there is room. */
export class FieldColumns {
  readonly threads: FieldThreads;
  readonly #kind: string;
  readonly #stocks: number;
  readonly #whole: DaySpan;
  readonly #gaps: readonly number[] | undefined;
  readonly #kept: LRUCache<string, Promise<Column>>;
  readonly #values = new LRUCache<string, Promise<DayValuesJson>>({ max: KEPT_DAYS });
  #marks: Promise<Pick<EvaluatedColumns, 'listed' | 'liquid'>> | undefined;

  /** @param maxBytes of the columns that are kept */
  constructor({ dataset, panel }: LoadedDataset, clickhouseAt: ClickHouseAddress, maxBytes: number) {
    this.threads = new FieldThreads({
      clickhouseAt,
      version: dataset.version,
      kind: dataset.kind,
      segments: dataset.broker_segments,
      panel: panel.columns,
    });
    this.#kind = dataset.kind;
    this.#stocks = panel.tickerCount;
    this.#whole = { firstDay: 0, lastDay: panel.dayCount - 1 };
    this.#gaps = panel.columns.gaps;
    this.#kept = new LRUCache({ maxSize: maxBytes });
  }

  /**
   * What rules read for these days.
   * @throws ServiceError data_unavailable
   */
  async forRules(
    rules: Rules,
    { firstDay, lastDay, also = [] }: Wanted,
    known: KnownFields,
  ): Promise<ColumnsOfDays> {
    const needs = needsOf(rules);
    const span = { firstDay: Math.max(0, firstDay - needs.daysBack), lastDay };
    const names = [...new Set([...needs.fields, ...also])];
    const [cheap, others] = [
      names.filter((name) => this.#isCheap(name, known)),
      names.filter((name) => !this.#isCheap(name, known)),
    ];
    const [wholes, ofDays, marks] = await Promise.all([
      this.#columns(cheap, this.#whole, known),
      this.#columns(others, span, known),
      this.#marksOfStocks(),
    ]);
    const [from, to] = [span.firstDay * this.#stocks, (lastDay + 1) * this.#stocks];
    const gaps = gapsWithin(this.#gaps, span);
    const cutOut = wholes.map(([name, column]): [string, Column] => [name, cut(column, from, to)]);
    return {
      fields: Object.fromEntries([...cutOut, ...ofDays]),
      listed: marks.listed.subarray(from, to),
      liquid: marks.liquid.subarray(from, to),
      ...(gaps && { gaps }),
      firstDay: span.firstDay,
    };
  }

  /**
   * What fields say on one day. None is computed for other days, since whoever wants all fields would wait for all of their histories.
   * The days that were requested last are kept.
   * @throws ServiceError data_unavailable
   */
  valuesOfDay(names: readonly string[], day: number, known: KnownFields): Promise<DayValuesJson> {
    const key = [day, ...names.map((name) => this.#editionOf(name, known))].join(' ');
    const kept = this.#values.get(key);
    if (kept) return kept;
    const values = this.#ofDay(names, day, known).then((columns) => this.threads.run('valuesOfDay', columns));
    this.#values.set(key, values);
    values.catch(() => this.#values.delete(key));
    return values;
  }

  async #ofDay(names: readonly string[], day: number, known: KnownFields): Promise<EvaluatedColumns> {
    const [columns, marks] = await Promise.all([
      this.#columns(names, { firstDay: day, lastDay: day }, known),
      this.#marksOfStocks(),
    ]);
    const [from, to] = [day * this.#stocks, (day + 1) * this.#stocks];
    return {
      fields: Object.fromEntries(columns),
      listed: marks.listed.subarray(from, to),
      liquid: marks.liquid.subarray(from, to),
    };
  }

  #isCheap(name: string, { fields }: KnownFields): boolean {
    const { computeUs, needs } = fields.get(name)!;
    const values = this.#stocks * (this.#whole.lastDay + 1);
    // Results of models are read day by day, because every new day would make a whole column stale.
    const isRead = needs.includes('broker_days') || needs.includes('model_results');
    return !isRead && (values * computeUs) / 1_000 <= WHOLE_WITHIN_MS;
  }

  /** Each field is computed once, also if several requests want it at the same time. */
  #columns(
    names: readonly string[],
    span: DaySpan,
    known: KnownFields,
  ): Promise<[name: string, column: Column][]> {
    const { facts } = known;
    const keyOf = (name: string) => `${this.#editionOf(name, known)} ${span.firstDay} ${span.lastDay}`;
    const kept = new Map(names.map((name) => [name, this.#kept.get(keyOf(name))]));
    const missing = names.filter((name) => kept.get(name) === undefined);
    const computed =
      missing.length === 0
        ? undefined
        : this.threads.run('compute', {
            names: missing,
            span,
            facts: missing.flatMap((name) => facts.get(name) ?? []),
            models: modelsOf(missing).filter((id) => known.resultsOf(this.#kind, id)),
          });
    const columnOf = (name: string) => computed!.then((fields) => fields[name]!);
    return Promise.all(
      names.map(async (name) => {
        const column = kept.get(name) ?? this.#keep(keyOf(name), columnOf(name), span);
        return [name, await column] as [string, Column];
      }),
    );
  }

  /** Another name after every change of stored values: facts that are imported again, and results of a further day. */
  #editionOf(name: string, { facts, resultsOf }: KnownFields): string {
    const [modelId] = modelsOf([name]);
    if (modelId === undefined) return facts.get(name)?.edition ?? name;
    return `${name}.${resultsOf(this.#kind, modelId)?.rows ?? 0}`;
  }

  #keep(key: string, column: Promise<Column>, { firstDay, lastDay }: DaySpan): Promise<Column> {
    const size = (lastDay + 1 - firstDay) * this.#stocks * BYTES_PER_VALUE;
    this.#kept.set(key, column, { size });
    column.catch(() => this.#kept.delete(key));
    return column;
  }

  #marksOfStocks(): Promise<Pick<EvaluatedColumns, 'listed' | 'liquid'>> {
    if (!this.#marks) {
      this.#marks = this.threads.run('marksOf', this.#whole);
      this.#marks.catch(() => (this.#marks = undefined));
    }
    return this.#marks;
  }
}

function cut(column: Column, from: number, to: number): Column {
  if (!isNumbers(column)) return { ...column, codes: column.codes.subarray(from, to) };
  const { values, factors } = column;
  return { values: values.subarray(from, to), ...(factors && { factors: factors.subarray(from, to) }) };
}

/** The columns of the market that answers, which replace those of the one before. */
export class FieldMarkets {
  readonly #clickhouseAt: ClickHouseAddress;
  readonly #maxBytes: number;
  #current: { loaded: LoadedDataset; columns: FieldColumns } | undefined;

  constructor(clickhouseAt: ClickHouseAddress, maxBytes: number) {
    this.#clickhouseAt = clickhouseAt;
    this.#maxBytes = maxBytes;
  }

  /** Whoever still evaluates on the market before goes on with it. Its threads end once they have nothing to do. */
  of(loaded: LoadedDataset): FieldColumns {
    if (this.#current?.loaded !== loaded)
      this.#current = { loaded, columns: new FieldColumns(loaded, this.#clickhouseAt, this.#maxBytes) };
    return this.#current.columns;
  }

  stop(): void {
    this.#current?.columns.threads.close();
    this.#current = undefined;
  }
}
