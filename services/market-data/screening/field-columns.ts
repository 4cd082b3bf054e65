import { LRUCache } from 'lru-cache';
import { isNumbers, type Column } from '#fields/evaluation/market-columns.ts';
import { modelsOf } from '#fields/catalogue/model-results.ts';
import { needsOf } from '#fields/rules/needs.ts';
import type { Rules } from '#fields/rules/rules.ts';
import { gapsWithin } from '#quant/panel/gaps.ts';
import type { DaySpan } from '#quant/panel/ranges.ts';
import { columnMs, readingMs, tableMs } from '#shared/costs/estimated-cost.ts';
import type { ClickHouseAddress } from '#platform/clickhouse/address.ts';
import type { KnownFields } from './field-catalogue.ts';
import type { LoadedDataset } from '../in-memory/loaded-dataset.ts';
import type { EvaluatedColumns } from './field-tasks.ts';
import { FieldThreads, Interest, NEVER, type Caller } from './field-threads.ts';
import type { DayValuesJson } from './field-worker.ts';

/**
 * A field that takes longer for a whole market, in milliseconds, is computed only for the days that are asked for, and again for
 * others. Over five years of 930 stocks, most fields take half of this.
 */
const WHOLE_WITHIN_MS = 500;
const BYTES_PER_VALUE = 4;
/** Values of days, a megabyte each for all fields of 930 stocks. */
const KEPT_DAYS = 4;
/**
 * Days for which a field is computed when its values on one of them are wanted: it reads the history of a stock in any case, so that
 * the days beside it cost next to nothing, and whoever wants a past day mostly wants its neighbours.
 */
const BLOCK_DAYS = 60;
/** Fields are computed together up to this time, besides reading the stocks, so that another key has its turn after it. */
const SLICE_MS = 200;

interface Slice {
  names: string[];
  costMs: number;
}

/** What is computed once for all who want it at the same time. */
interface Shared<T> {
  result: Promise<T>;
  interest: Interest;
}

/** What an evaluation reads, from a day on. */
export interface ColumnsOfDays extends EvaluatedColumns {
  /** The day of the panel that is day 0 of the columns. */
  firstDay: number;
}

/** Days that are evaluated, and fields that are read besides those of the rules. */
interface Wanted extends DaySpan {
  also?: readonly string[];
  /** What is done with the columns, which is charged together with them. */
  evaluationMs?: number;
}

/** Computes the columns of one market on threads when rules first name their fields, and keeps them while there is room. */
export class FieldColumns {
  readonly threads: FieldThreads;
  readonly #kind: string;
  readonly #stocks: number;
  readonly #whole: DaySpan;
  readonly #gaps: readonly number[] | undefined;
  readonly #kept: LRUCache<string, Shared<Column>>;
  readonly #values = new LRUCache<string, Shared<DayValuesJson>>({ max: KEPT_DAYS });
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
   * What rules read for these days. What of it is not computed yet is charged before, with the evaluation.
   * @throws ServiceError data_unavailable, and as {@link CallCost.charge}
   */
  async forRules(
    rules: Rules,
    { firstDay, lastDay, also = [], evaluationMs = 0 }: Wanted,
    known: KnownFields,
    caller: Caller,
  ): Promise<ColumnsOfDays> {
    const needs = needsOf(rules);
    const span = { firstDay: Math.max(0, firstDay - needs.daysBack), lastDay };
    const [cheap, others] = this.#byCost([...new Set([...needs.fields, ...also])], known);
    const columnsMs = this.#missingMs(cheap, this.#whole, known) + this.#missingMs(others, span, known);
    caller.cost?.charge(columnsMs + evaluationMs);
    const [wholes, ofDays, marks] = await Promise.all([
      this.#columns(cheap, this.#whole, known, caller),
      this.#columns(others, span, known, caller),
      this.#marksOfStocks(),
    ]);
    const [from, to] = [span.firstDay * this.#stocks, (lastDay + 1) * this.#stocks];
    const gaps = gapsWithin(this.#gaps, span);
    return {
      fields: Object.fromEntries([...cutAll(wholes, from, to), ...ofDays]),
      listed: marks.listed.subarray(from, to),
      liquid: marks.liquid.subarray(from, to),
      ...(gaps && { gaps }),
      firstDay: span.firstDay,
    };
  }

  /**
   * What fields say on one day. Fields of broker rows are computed for no other day, since they read the rows of each. The days that were
   * requested last are kept.
   * @throws ServiceError data_unavailable, and as {@link CallCost.charge}
   */
  async valuesOfDay(
    names: readonly string[],
    day: number,
    known: KnownFields,
    { signal, apiKeyId, cost }: Caller,
  ): Promise<DayValuesJson> {
    const key = [day, ...names.map((name) => this.#editionOf(name, known))].join(' ');
    const kept = wanted(this.#values.get(key));
    const columnsMs = kept ? 0 : this.#missingOfDayMs(names, day, known);
    cost?.charge(columnsMs + tableMs(names.length, this.#stocks));
    const shared = kept ?? this.#beginDay(key, names, { day, known, apiKeyId });
    shared.interest.add(signal);
    return shared.result;
  }

  #beginDay(
    key: string,
    names: readonly string[],
    { day, known, apiKeyId }: { day: number; known: KnownFields; apiKeyId: string | undefined },
  ): Shared<DayValuesJson> {
    const interest = new Interest();
    const caller = { signal: interest.unwanted, apiKeyId };
    const columns = this.#ofDay(names, day, known, caller);
    const result = columns.then((of) => this.threads.run('valuesOfDay', of, caller));
    interest.endsWith(result);
    const values = { result, interest };
    this.#values.set(key, values);
    result.catch(() => forget(this.#values, key, values));
    return values;
  }

  async #ofDay(
    names: readonly string[],
    day: number,
    known: KnownFields,
    caller: Caller,
  ): Promise<EvaluatedColumns> {
    const block = this.#blockOf(day);
    const [cheap, others] = this.#byCost(names, known);
    const [ofBlock, ofDay, marks] = await Promise.all([
      this.#columns(cheap, block, known, caller),
      this.#columns(others, { firstDay: day, lastDay: day }, known, caller),
      this.#marksOfStocks(),
    ]);
    const [from, to] = [day * this.#stocks, (day + 1) * this.#stocks];
    const start = block.firstDay * this.#stocks;
    const columns = new Map([...cutAll(ofBlock, from - start, to - start), ...ofDay]);
    return {
      fields: Object.fromEntries(names.map((name) => [name, columns.get(name)!])),
      listed: marks.listed.subarray(from, to),
      liquid: marks.liquid.subarray(from, to),
    };
  }

  /** Blocks are counted from the newest day, so that the days of which most is asked are in one. */
  #blockOf(day: number): DaySpan {
    const { lastDay } = this.#whole;
    const end = lastDay - BLOCK_DAYS * Math.floor((lastDay - day) / BLOCK_DAYS);
    return { firstDay: Math.max(0, end + 1 - BLOCK_DAYS), lastDay: end };
  }

  /** The fields that are computed for more days than are wanted, and the others. */
  #byCost(names: readonly string[], known: KnownFields): [cheap: string[], others: string[]] {
    const cheap = new Set(names.filter((name) => this.#isCheap(name, known)));
    return [[...cheap], names.filter((name) => !cheap.has(name))];
  }

  #isCheap(name: string, { fields }: KnownFields): boolean {
    const field = fields.get(name)!;
    // Results of models are read day by day, because every new day would make a whole column stale.
    const isRead = field.needs.includes('broker_days') || field.needs.includes('model_results');
    return !isRead && columnMs(field, this.#stocks, this.#whole) <= WHOLE_WITHIN_MS;
  }

  /** Each field is computed once, also if several requests want it at the same time. */
  #columns(
    names: readonly string[],
    span: DaySpan,
    known: KnownFields,
    { signal, apiKeyId }: Caller,
  ): Promise<[name: string, column: Column][]> {
    const keyOf = (name: string) => this.#keyOf(name, span, known);
    const columns = new Map(names.map((name) => [name, wanted(this.#kept.get(keyOf(name)))]));
    for (const slice of this.#slicesOf(this.#missing(names, span, known), span, known)) {
      const interest = new Interest();
      const computed = this.#compute(slice, span, known, { signal: interest.unwanted, apiKeyId });
      interest.endsWith(computed);
      for (const name of slice.names) {
        const column = { result: computed.then((fields) => fields[name]!), interest };
        columns.set(name, column);
        this.#keep(keyOf(name), column, span);
      }
    }
    return Promise.all(
      names.map(async (name) => {
        const { result, interest } = columns.get(name)!;
        interest.add(signal);
        return [name, await result] as [string, Column];
      }),
    );
  }

  /** Computes what the market before had ready, so that the first who ask after a new version wait no longer than the last before it. */
  async prepareLike(before: FieldColumns, known: KnownFields): Promise<void> {
    const names = [...known.fields.keys()].filter((name) =>
      before.#kept.has(before.#keyOf(name, before.#whole, known)),
    );
    await this.#columns(names, this.#whole, known, { signal: NEVER });
  }

  #keyOf(name: string, { firstDay, lastDay }: DaySpan, known: KnownFields): string {
    return `${this.#editionOf(name, known)} ${firstDay} ${lastDay}`;
  }

  #missing(names: readonly string[], span: DaySpan, known: KnownFields): string[] {
    return names.filter((name) => !wanted(this.#kept.get(this.#keyOf(name, span, known))));
  }

  /** How long the columns take that are not kept. */
  #missingMs(names: readonly string[], span: DaySpan, known: KnownFields): number {
    const slices = this.#slicesOf(this.#missing(names, span, known), span, known);
    return slices.reduce((sum, { costMs }) => sum + costMs, 0);
  }

  /** The same for the columns of which a day is read. */
  #missingOfDayMs(names: readonly string[], day: number, known: KnownFields): number {
    const [cheap, others] = this.#byCost(names, known);
    const ofDay = { firstDay: day, lastDay: day };
    return this.#missingMs(cheap, this.#blockOf(day), known) + this.#missingMs(others, ofDay, known);
  }

  /** Fields that are computed together, and how long that is expected to take. */
  #slicesOf(names: readonly string[], span: DaySpan, { fields }: KnownFields): Slice[] {
    const slices: { names: string[]; valuesMs: number }[] = [];
    for (const name of names) {
      const valuesMs = columnMs(fields.get(name)!, this.#stocks, span);
      const last = slices.at(-1);
      if (last && last.valuesMs + valuesMs <= SLICE_MS) {
        last.names.push(name);
        last.valuesMs += valuesMs;
      } else slices.push({ names: [name], valuesMs });
    }
    const marketDays = this.#whole.lastDay + 1;
    return slices.map(({ names: of, valuesMs }) => ({
      names: of,
      costMs: valuesMs + readingMs(of.length, this.#stocks, marketDays),
    }));
  }

  #compute(
    { names, costMs }: Slice,
    span: DaySpan,
    { facts, resultsOf }: KnownFields,
    caller: Caller,
  ): Promise<EvaluatedColumns['fields']> {
    const stored = {
      facts: names.flatMap((name) => facts.get(name) ?? []),
      models: modelsOf(names).filter((id) => resultsOf(this.#kind, id)),
    };
    return this.threads.run('compute', { names, span, ...stored }, caller, costMs);
  }

  /** Another name after every change of stored values: facts that are imported again, and results of a further day. */
  #editionOf(name: string, { facts, resultsOf }: KnownFields): string {
    const [modelId] = modelsOf([name]);
    if (modelId === undefined) return facts.get(name)?.edition ?? name;
    return `${name}.${resultsOf(this.#kind, modelId)?.rows ?? 0}`;
  }

  #keep(key: string, column: Shared<Column>, { firstDay, lastDay }: DaySpan): void {
    const size = (lastDay + 1 - firstDay) * this.#stocks * BYTES_PER_VALUE;
    this.#kept.set(key, column, { size });
    column.result.catch(() => forget(this.#kept, key, column));
  }

  #marksOfStocks(): Promise<Pick<EvaluatedColumns, 'listed' | 'liquid'>> {
    if (!this.#marks) {
      this.#marks = this.threads.run('marksOf', this.#whole, { signal: NEVER });
      this.#marks.catch(() => (this.#marks = undefined));
    }
    return this.#marks;
  }
}

/** What is still wanted or done: of what was given up, no result comes. */
function wanted<T>(shared: Shared<T> | undefined): Shared<T> | undefined {
  return shared?.interest.unwanted.aborted ? undefined : shared;
}

/** Lets the next caller begin anew, unless one has. */
function forget<T extends object>(cache: LRUCache<string, T>, key: string, failed: T): void {
  if (cache.peek(key) === failed) cache.delete(key);
}

function cutAll(columns: [string, Column][], from: number, to: number): [string, Column][] {
  return columns.map(([name, column]) => [name, cut(column, from, to)]);
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

  /**
   * Computes what is likely to be asked of a market that has just begun to answer: the values of its newest day, and the fields that
   * the market before had ready.
   * @throws ServiceError data_unavailable
   */
  async prepare(loaded: LoadedDataset, known: KnownFields): Promise<void> {
    const before = this.#current?.columns;
    const columns = this.of(loaded);
    if (before && before !== columns) await columns.prepareLike(before, known);
    await columns.valuesOfDay([...known.fields.keys()], loaded.panel.dayCount - 1, known, { signal: NEVER });
  }

  stop(): void {
    this.#current?.columns.threads.close();
    this.#current = undefined;
  }
}
