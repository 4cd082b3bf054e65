import { USUAL_YEARS, yearsBefore } from '#shared/market/past-span.ts';
import type { ListPastPicksRequest, ListPastPicksResponse } from '#proto/saring/models/v1/backfills.ts';
import { lastDecidedDay } from '#quant/labels/triple-barrier.ts';
import { invalidRequest } from '#foundation/errors/invalid-request.ts';
import { lastOfEach, type Step } from '#shared/market/last-of-each.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import type { Params } from '../catalogue/parameters.ts';
import type { BackfillStore } from '../store/backfill-store.ts';
import { knownDays, knownSpan, MAX_DAYS } from './backfill-days.ts';
import type { SpanDates } from '../analysis-day/analysis-date.ts';
import { datesOfKey, type TestMarketDays } from '../analysis-day/test-market-days.ts';
import { historyParams } from './backfills.ts';

interface PastPicksDependencies {
  store: Pick<BackfillStore, 'findCovering' | 'tickersOf'>;
  dates: SpanDates;
  testDays: Pick<TestMarketDays, 'read'>;
}

interface WantedDays {
  step: Step;
  days: string[];
}

/** What a key's backfills say of past days, for simulations and for the past of screens. */
export class PastPicks {
  readonly #deps: PastPicksDependencies;

  constructor(deps: PastPicksDependencies) {
    this.#deps = deps;
  }

  /**
   * The picks of a model on past days.
   * @throws ServiceError model_not_found, not_found if nothing can have come of picks of the span yet, data_unavailable while no
   *   trading days are known, or invalid_request if no finished backfill of the key has every one of these days; its `ctx` is the
   *   body of one that would
   */
  async list(request: ListPastPicksRequest): Promise<ListPastPicksResponse> {
    const { store, dates, testDays } = this.#deps;
    const { api_key_id, model_id, limit } = request;
    const known = await datesOfKey(dates, testDays, api_key_id);
    const params = historyParams(model_id, request.params);
    const { from, span } = spanOf(request, known);
    const wanted = wantedDays(request, span, known);
    const to = span.at(-1)!;
    if (wanted.length === 0)
      throw new ServiceError('not_found', `What came of picks from ${from} to ${to} is not known yet.`);
    for (const { step, days } of wanted) {
      const backfill_id = await store.findCovering({ api_key_id, model_id, params }, days);
      if (backfill_id === undefined) continue;
      const pages = await store.tickersOf(backfill_id, days);
      return {
        days: pages.map(({ as_of, tickers }) => ({ as_of, tickers: tickers.slice(0, limit) })),
        to,
        params,
        step,
        backfill_id,
      };
    }
    throw uncovered({ model_id, params, from, to }, wanted);
  }
}

/** The first day as requested, and the trading days from it on. */
function spanOf(
  { from: requested, to }: ListPastPicksRequest,
  { tradingDays, pin }: SpanDates,
): { from: string; span: string[] } {
  const until = to ?? knownSpan(tradingDays, pin).last;
  const from = requested ?? yearsBefore(until, USUAL_YEARS);
  return { from, span: knownDays({ from, to: until }, tradingDays, pin) };
}

/**
 * The days of each step that is asked for. A day is the last one of its week if no later trading day of that week is known, so that a
 * span that ends within a week does not want a day that longer backfills lack.
 */
function wantedDays(
  { step, horizon_days }: ListPastPicksRequest,
  span: readonly string[],
  { tradingDays, pin }: SpanDates,
): WantedDays[] {
  const { last } = knownSpan(tradingDays, pin);
  const known = tradingDays.between(span[0]!, last);
  const end =
    horizon_days === undefined
      ? span.length - 2
      : Math.min(span.length - 1, lastDecidedDay(known.length - 1, { horizonDays: horizon_days }));
  const until = known[end] ?? '';
  const steps = step === undefined ? (['day', 'week'] as const) : [step as Step];
  return steps
    .map((each) => ({ step: each, days: lastOfEach(known, each).filter((day) => day <= until) }))
    .filter(({ days }) => days.length > 0);
}

/** A backfill that is missing, but for its days. */
interface Uncovered {
  model_id: string;
  params: Params;
  from: string;
  to: string;
}

function uncovered({ model_id, params, from, to }: Uncovered, wanted: readonly WantedDays[]): ServiceError {
  const names = wanted.map(({ step }) => `every ${step}`).join(' or ');
  const possible = wanted.find(({ days }) => days.length <= MAX_DAYS);
  const what =
    `must begin a span that a finished backfill of this key covers: none runs ${model_id} with these params ` +
    `on ${names} up to ${to}`;
  const msg = possible
    ? `${what}. Send \`ctx\` as the body of POST /api/v1/models/${model_id}/backfills, and wait until it has succeeded`
    : `${what}. A backfill has at most ${MAX_DAYS} days: name a shorter span, or every week`;
  const ctx = possible && { params, from, to: possible.days.at(-1)!, step: possible.step };
  return invalidRequest([{ loc: ['from'], msg, type: 'value_error', input: from, ...(ctx && { ctx }) }]);
}
