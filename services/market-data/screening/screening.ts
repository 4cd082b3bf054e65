import { modelsOf } from '#fields/catalogue/model-results.ts';
import { formatRules } from '#fields/rules/format-rules.ts';
import { needsOf } from '#fields/rules/needs.ts';
import { testsOf, type Rules } from '#fields/rules/rules.ts';
import type {
  ExplainStockRequest,
  ExplainStockResponse,
  FollowedResult,
  FollowedScreen,
  FollowScreensRequest,
  FollowScreensResponse,
  JudgeScreenRequest,
  JudgeScreenResponse,
  ListFieldValuesRequest,
  ListFieldValuesResponse,
  ListPastMembersRequest,
  ListPastMembersResponse,
  ScreenStocksRequest,
  ScreenStocksResponse,
} from '#proto/saring/market_data/v1/fields.ts';
import { reachesAcross } from '#quant/panel/gaps.ts';
import type { ErrorCode } from '#foundation/errors/error-codes.ts';
import { judgedMs, rulesMs } from '#shared/costs/estimated-cost.ts';
import { lastOfEach, type Step } from '#shared/market/last-of-each.ts';
import { rulesOf } from '#shared/market/requested-rules.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { inTime, Overdue } from '#platform/process/waiting.ts';
import { requireFields, withNewest, type FieldCatalogue, type KnownFields } from './field-catalogue.ts';
import type { DatasetInUse } from '../in-memory/dataset-in-use.ts';
import type { LoadedDataset } from '../in-memory/loaded-dataset.ts';
import { asOfDay } from '../responses/trading-day.ts';
import { requireTicker } from '../responses/tickers.ts';
import { changeOf, listed } from './explained-rules.ts';
import type { ColumnsOfDays, FieldColumns, FieldMarkets } from './field-columns.ts';
import { NEVER, THREADS, type Caller } from './field-threads.ts';
import { barriersOf, judgedSpan, matchesOf, requestedSpan, toPast } from './judged-past.ts';
import { screenedUniverse, universeOfDays } from './screened-universe.ts';

/** Trading days. Daily runs that fail for a day or two go on afterwards. */
const RUNS_DAILY_WITHIN_DAYS = 5;
/** The codes of a screen whose rules, sector or universe the served market does not know. Other screens do not fail with it. */
const UNEVALUABLE: readonly ErrorCode[] = ['invalid_request', 'not_found'];
/**
 * Followed screens are begun for so long, and each is given so much, so that those that take long cost the others of a call a delay
 * and not their results. Together they end within the 10 s for which a copy of the caller has its turn. Evaluating a screen takes
 * milliseconds, and computing the fields that it names seconds; that goes on when it is given up, so that another attempt finds them.
 */
const GIVEN = { beginMs: 1_000, eachMs: 5_000 };

/** Screens the served market, on threads of its own. */
export class Screening {
  readonly #inUse: Pick<DatasetInUse, 'get'>;
  readonly #markets: Pick<FieldMarkets, 'of'>;
  readonly #catalogue: Pick<FieldCatalogue, 'get' | 'newest' | 'refresh'>;
  readonly #given: typeof GIVEN;

  constructor(
    inUse: Pick<DatasetInUse, 'get'>,
    markets: Pick<FieldMarkets, 'of'>,
    catalogue: Pick<FieldCatalogue, 'get' | 'newest' | 'refresh'>,
    given = GIVEN,
  ) {
    this.#inUse = inUse;
    this.#markets = markets;
    this.#catalogue = catalogue;
    this.#given = given;
  }

  /** @throws ServiceError invalid_request, not_found when the dataset begins later, data_unavailable */
  async screen(
    { rules: sent, universe, as_of, columns: also }: ScreenStocksRequest,
    caller: Caller,
  ): Promise<ScreenStocksResponse> {
    const { rules, known } = await this.#read(sent, also);
    const loaded = await this.#inUse.get();
    const { dataset, panel } = loaded;
    const day = asOfDay(panel, as_of);
    const { mask, missing } = screenedUniverse(loaded, universe, day);
    const market = this.#markets.of(loaded);
    const columns = await market.forRules(rules, { ...onDay(rules, panel, day), also }, known, caller);
    const task = { rules, columns, day: day - columns.firstDay, universe: mask, also };
    const { matched, rowsJson } = await market.threads.run('screen', task, caller);
    return {
      as_of: panel.columns.dates[day]!,
      matched,
      screened: screenedOn(columns, mask, { day, stocks: panel.tickerCount }),
      rows: [],
      rows_json: Buffer.from(rowsJson.buffer),
      missing,
      rules_text: formatRules(rules),
      broker_data: restsOnBrokers(rules, also, known) ? dataset.broker_data : 'none',
      dataset_version: dataset.version,
    };
  }

  /** @throws ServiceError invalid_request, not_found when the dataset begins later, data_unavailable */
  async values({ as_of, fields }: ListFieldValuesRequest, caller: Caller): Promise<ListFieldValuesResponse> {
    const known = await this.#fieldsNamed(fields);
    const names = fields.length > 0 ? fields : [...known.fields.keys()];
    const loaded = await this.#inUse.get();
    const { dataset, panel } = loaded;
    const day = asOfDay(panel, as_of);
    const market = this.#markets.of(loaded);
    const { stocks, json } = await market.valuesOfDay(names, day, known, caller);
    return {
      as_of: panel.columns.dates[day]!,
      tickers: Array.from(stocks, (stock) => panel.columns.tickers[stock]!),
      values_json: Buffer.from(json),
      broker_data: restsOnBrokers({}, names, known) ? dataset.broker_data : 'none',
      dataset_version: dataset.version,
    };
  }

  /** @throws ServiceError as `screen`, and not_found for an unknown ticker */
  async explain(
    { rules: sent, universe, ticker: wanted, as_of }: ExplainStockRequest,
    caller: Caller,
  ): Promise<ExplainStockResponse> {
    const { rules, known } = await this.#read(sent);
    const loaded = await this.#inUse.get();
    const { dataset, panel } = loaded;
    const day = asOfDay(panel, as_of);
    const { ticker, index } = requireTicker(panel, wanted);
    const { mask } = screenedUniverse(loaded, universe, day);
    const market = this.#markets.of(loaded);
    const columns = await market.forRules(rules, onDay(rules, panel, day), known, caller);
    const task = { rules, columns, day: day - columns.firstDay, universe: mask, stock: index };
    const { explanation, place } = await market.threads.run('explainStock', task, caller);
    const isListed = panel.rowAt(index, day) >= 0;
    return {
      ticker,
      as_of: panel.columns.dates[day]!,
      is_member: place > 0 && place <= (rules.limit ?? Infinity),
      passes: isListed && explanation?.met !== false && explanation?.met !== null,
      in_universe: mask === undefined || mask[index] === 1,
      place: place || undefined,
      rules: listed(explanation),
      dataset_version: dataset.version,
    };
  }

  /** @throws ServiceError invalid_request, not_found when no outcome of the span is known, data_unavailable */
  async judge(request: JudgeScreenRequest, caller: Caller): Promise<JudgeScreenResponse> {
    const { rules, known } = await this.#read(request.rules ?? '');
    const loaded = await this.#inUse.get();
    const { dataset, panel } = loaded;
    const barriers = barriersOf(request);
    const { openDays, ...span } = judgedSpan(panel, request, barriers);
    const market = this.#markets.of(loaded);
    const evaluationMs = judgedMs(testsOf(rules.where).length, panel.tickerCount, span);
    const columns = await market.forRules(rules, { ...span, evaluationMs }, known, caller);
    const universe = universeOfDays(loaded, request.universe, { ...span, start: columns.firstDay });
    const { firstDay } = columns;
    const picks = request.rules === undefined ? matchesOf(panel, span, request.picks) : undefined;
    const task = { rules, columns, day: span.firstDay - firstDay, firstDay, universe, barriers, picks };
    const { dates } = panel.columns;
    const restsOnBroker = picks !== undefined || restsOnBrokers(rules, [], known);
    return {
      from: dates[span.firstDay]!,
      to: dates[span.lastDay]!,
      open_days: openDays,
      target_gain: barriers.targetGain,
      stop_loss: barriers.stopLoss,
      horizon_days: barriers.horizonDays,
      ...toPast(await market.threads.run('judge', task, caller, evaluationMs)),
      rules_text: formatRules(rules),
      broker_data: restsOnBroker ? dataset.broker_data : 'none',
      market: dataset.kind,
      dataset_version: dataset.version,
      lacks_days: reachesAcross(panel, { ...span, lastDay: span.lastDay + barriers.horizonDays }),
    };
  }

  /** @throws ServiceError invalid_request, not_found when the dataset begins after the span, data_unavailable */
  async pastMembers(request: ListPastMembersRequest, caller: Caller): Promise<ListPastMembersResponse> {
    const { rules, known } = await this.#read(request.rules);
    const loaded = await this.#inUse.get();
    const { dates, tickers } = loaded.panel.columns;
    const span = requestedSpan(loaded.panel, request);
    if (span.lastDay < span.firstDay)
      throw new ServiceError('not_found', `No trading day is known from ${span.since} to ${span.until}.`);
    const market = this.#markets.of(loaded);
    const evaluationMs = rulesMs(testsOf(rules.where).length, tickers.length, span);
    const columns = await market.forRules(rules, { ...span, evaluationMs }, known, caller);
    const { firstDay } = columns;
    const universe = universeOfDays(loaded, request.universe, { ...span, start: firstDay });
    const steps = new Set(lastOfEach(dates.slice(span.firstDay, span.lastDay + 1), request.step as Step));
    const task = { rules, columns, day: span.firstDay - firstDay, universe };
    const { starts, stocks } = await market.threads.run('membersOfDays', task, caller, evaluationMs);
    const membersOn = (at: number) =>
      stocks.subarray(starts[at], Math.min(starts[at]! + request.limit, starts[at + 1]!));
    const days = Array.from({ length: starts.length - 1 }, (_, at) => ({
      as_of: dates[span.firstDay + at]!,
      tickers: Array.from(membersOn(at), (stock) => tickers[stock]!),
    }));
    return { days: days.filter(({ as_of }) => steps.has(as_of)), to: dates[span.lastDay]! };
  }

  /**
   * Evaluates screen after screen, as many at once as there are threads, and returns those that it has come to. Once its caller has
   * left, it begins no other.
   * @throws ServiceError not_found when the dataset begins later, data_unavailable
   */
  async follow(
    { screens, as_of }: FollowScreensRequest,
    caller: AbortSignal,
  ): Promise<FollowScreensResponse> {
    const loaded = await this.#inUse.get();
    const { dataset, panel } = loaded;
    const day = asOfDay(panel, as_of);
    const market = this.#markets.of(loaded);
    const results: FollowedResult[] = [];
    const waiting = screens.entries();
    const overMs = performance.now() + this.#given.beginMs;
    const oneAfterTheOther = async () => {
      for (const [at, screen] of waiting) {
        results[at] = await this.#followed(screen, loaded, market, day);
        if (caller.aborted || performance.now() >= overMs) return;
      }
    };
    await Promise.all(Array.from({ length: THREADS }, oneAfterTheOther));
    return { as_of: panel.columns.dates[day]!, results, dataset_version: dataset.version };
  }

  /** The fields among which these are; the newest, if all are meant. */
  #fieldsNamed(names: readonly string[]): Promise<KnownFields> {
    if (names.length === 0) return this.#catalogue.newest();
    return withNewest(this.#catalogue, (known) => {
      requireFields(names, known.fields, 'fields');
      return known;
    });
  }

  /** Rules in normal form, and the fields that they and the requested columns may name. */
  #read(sent: unknown, also: readonly string[] = []): Promise<{ rules: Rules; known: KnownFields }> {
    return withNewest(this.#catalogue, (known) => {
      const rules = rulesOf(sent, known.fields);
      requireFields(also, known.fields);
      return { rules, known };
    });
  }

  async #followed(
    { id, rules: sent, universe, previous_as_of, previous_tickers, waits_for_results }: FollowedScreen,
    loaded: LoadedDataset,
    market: FieldColumns,
    day: number,
  ): Promise<FollowedResult> {
    const { panel } = loaded;
    try {
      const { rules, known } = await this.#read(sent);
      const awaits_results = awaitsResults(rules, known, loaded, day) || undefined;
      if (awaits_results && waits_for_results)
        return { id, tickers: [], entered: [], left: [], awaits_results };
      const { mask } = screenedUniverse(loaded, universe, day);
      const before = previous_as_of === undefined ? -1 : Math.min(panel.dayOnOrBefore(previous_as_of), day);
      const firstDay = before < 0 ? day : before;
      const evaluated = await this.#withinWhatIsGiven(async (givenUp) => {
        // What fields say goes on being computed when the screen is given up, so that another attempt finds it.
        const columns = await market.forRules(rules, { firstDay, lastDay: day }, known, { signal: NEVER });
        const previous =
          before < 0 ? undefined : { day: before - columns.firstDay, tickers: previous_tickers };
        const task = { rules, columns, day: day - columns.firstDay, universe: mask, previous };
        return market.threads.run('follow', task, { signal: givenUp });
      });
      if (typeof evaluated === 'string')
        return { id, tickers: [], entered: [], left: [], failure: evaluated, may_pass: true };
      const { tickers, entered, left } = evaluated;
      return { id, tickers, entered: entered.map(changeOf), left: left.map(changeOf), awaits_results };
    } catch (error) {
      if (!(error instanceof ServiceError) || !UNEVALUABLE.includes(error.code)) throw error;
      return { id, tickers: [], entered: [], left: [], failure: error.message };
    }
  }

  /** What the work on threads came to, or why it came to nothing. */
  async #withinWhatIsGiven<T>(work: (givenUp: AbortSignal) => Promise<T>): Promise<T | string> {
    const { eachMs } = this.#given;
    const giveUp = new AbortController();
    try {
      return await inTime(work(giveUp.signal), eachMs);
    } catch (error) {
      giveUp.abort();
      if (error instanceof Overdue)
        return `Evaluating it takes longer than the ${eachMs / 1_000} s that one screen is given. It is tried again.`;
      if (!(error instanceof ServiceError) || error.code !== 'data_unavailable') throw error;
      return 'Its evaluation broke off. It is tried again.';
    }
  }
}

/** Results of models too: a run reads a dataset with its broker rows, and names their origin. */
function restsOnBrokers(rules: Rules, also: readonly string[], { fields }: KnownFields): boolean {
  return [...needsOf(rules).fields, ...also].some((name) => {
    const { needs } = fields.get(name)!;
    return needs.includes('broker_days') || needs.includes('model_results');
  });
}

/**
 * Whether a daily result that rules read is still to come. A model whose last result is older does not run daily, and nothing waits for
 * it. Of a day before the newest result, nothing more comes.
 */
function awaitsResults(
  rules: Rules,
  { resultsOf }: KnownFields,
  { dataset, panel }: LoadedDataset,
  day: number,
): boolean {
  const { dates } = panel.columns;
  const oldest = dates[Math.max(0, day - RUNS_DAILY_WITHIN_DAYS)]!;
  return modelsOf(needsOf(rules).fields).some((modelId) => {
    const { last_day = '' } = resultsOf(dataset.kind, modelId) ?? {};
    return last_day >= oldest && last_day < dates[day]!;
  });
}

/** Rules on one day. */
function onDay({ where }: Rules, { tickerCount }: { tickerCount: number }, day: number) {
  const span = { firstDay: day, lastDay: day };
  return { ...span, evaluationMs: rulesMs(testsOf(where).length, tickerCount, span) };
}

/** How many stocks of the universe have a row on the day. */
function screenedOn(
  { listed: isListed, firstDay }: ColumnsOfDays,
  mask: Uint8Array | undefined,
  { day, stocks }: { day: number; stocks: number },
): number {
  const start = (day - firstDay) * stocks;
  let count = 0;
  for (let stock = 0; stock < stocks; stock++) count += isListed[start + stock]! & (mask?.[stock] ?? 1);
  return count;
}
