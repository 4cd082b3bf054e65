import type { KeysServiceService } from '#proto/saring/keys/v1/keys.ts';
import type {
  CountSchedulesResponse,
  CreateScheduleRequest,
  UpdateScheduleRequest,
} from '#proto/saring/scheduler/v1/scheduler.ts';
import type { CatalogueServiceService } from '#proto/saring/models/v1/catalogue.ts';
import type { Clock } from '#foundation/clock.ts';
import type { CallContext } from '#platform/grpc/call-context.ts';
import type { ServiceClient } from '#platform/grpc/client.ts';
import type { IdSource } from '#foundation/ids.ts';
import { refuse } from '#foundation/errors/invalid-request.ts';
import { marketOfKey } from '#foundation/test-market.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import type { Calendar } from '#proto/saring/wire/v1/words.ts';
import { periodEnd, sayBehind } from './firings.ts';
import type { NewestTradingDay, ServedMarket } from '#shared/market/newest-trading-day.ts';
import type { FiringRow, FiringStore } from './store/firing-store.ts';
import type { Place, ScheduleRow, ScheduleStore } from './store/schedule-store.ts';
import { requireUsable } from './submission.ts';

/** A count asks the keys service about the key of every enabled schedule. */
const COUNTS_LIFETIME_MS = 5_000;

type ScheduleRequest = CreateScheduleRequest & { calendar: Calendar };

/** The fields to change; undefined fields keep their value. */
type ScheduleUpdate = Omit<UpdateScheduleRequest, 'id'> & { calendar?: Calendar | undefined };

interface SchedulesDependencies {
  store: ScheduleStore;
  firings: FiringStore;
  keys: ServiceClient<KeysServiceService>;
  catalogue: ServiceClient<CatalogueServiceService>;
  newest: NewestTradingDay;
  /** How long schedules wait while the served market ends before the day that they have come to. */
  heldUpMs: number;
  clock: Clock;
  newId: IdSource;
}

/** A schedule, when it fires next, and what is in its way. */
export type StandingSchedule = ScheduleRow & {
  fires_after: string | undefined;
  held_up_by: string | undefined;
};

/** Manages schedules. Asks the owning services about keys, models and trading days when a schedule is created or changed. */
export class Schedules {
  readonly #deps: SchedulesDependencies;
  #latest: { counts: Promise<CountSchedulesResponse>; countedAtMs: number } | undefined;

  constructor(deps: SchedulesDependencies) {
    this.#deps = deps;
  }

  /**
   * @throws ServiceError as {@link requireUsable}, model_not_found, or invalid_request naming each wrong field
   */
  async create(request: ScheduleRequest, call: CallContext): Promise<StandingSchedule> {
    const { store, catalogue, newest, clock, newId } = this.#deps;
    refuseOwnDate(request.params);
    const { params = {}, view, model_id, api_key_id, calendar } = request;
    await requireUsable(api_key_id, this.#deps, call);
    await catalogue.validateRun({ model_id, params, view }, inMarketOf(api_key_id, call));
    const schedule = {
      id: newId('sch'),
      name: request.name.trim(),
      api_key_id,
      end_user: request.end_user,
      model_id,
      params: JSON.stringify(params),
      view,
      calendar,
      enabled: true,
      created_at: clock(),
    };
    const served = await newest.read();
    const row = await store.insert(schedule, served);
    const place = { after_day: served.day, behind_since: null };
    return { ...row, ...this.#standingOf(row, served, place, undefined) };
  }

  /** Oldest first. */
  async list(call: CallContext): Promise<StandingSchedule[]> {
    const { store, newest } = this.#deps;
    const served = newest.known;
    const places = served ? await store.places(served.market) : new Map<string, Place>();
    const schedules = await store.list();
    const enabled = schedules.filter((schedule) => schedule.enabled);
    const refusals = await this.#refusalsOf([...new Set(enabled.map(({ api_key_id }) => api_key_id))], call);
    return schedules.map((schedule) => ({
      ...schedule,
      ...this.#standingOf(schedule, served, places.get(schedule.id), refusals.get(schedule.api_key_id)),
    }));
  }

  /** Counts schedules at most once per `COUNTS_LIFETIME_MS`, however many callers ask. */
  count(call: CallContext): Promise<CountSchedulesResponse> {
    const nowMs = performance.now();
    if (!this.#latest || nowMs - this.#latest.countedAtMs >= COUNTS_LIFETIME_MS) {
      // The count outlives the caller that began it.
      const counts = this.#count({ requestId: call.requestId });
      this.#latest = { counts, countedAtMs: nowMs };
      counts.catch(() => (this.#latest = undefined));
    }
    return this.#latest.counts;
  }

  /** Those that cannot fire are enabled ones that are held up, and those that have ended. */
  async #count(call: CallContext): Promise<CountSchedulesResponse> {
    const schedules = await this.list(call);
    const enabled = schedules.filter((schedule) => schedule.enabled);
    const stuck = schedules.filter(({ held_up_by }) => held_up_by !== undefined);
    return { enabled: enabled.length, cannot_fire: stuck.length };
  }

  /** Why keys may not run, by their ids. While the keys service is unavailable nothing is known against them. */
  async #refusalsOf(ids: string[], call: CallContext): Promise<Map<string, string>> {
    const found = await Promise.all(
      ids.map(async (id): Promise<[string, string][]> => {
        try {
          await requireUsable(id, this.#deps, call);
          return [];
        } catch (error) {
          return error instanceof ServiceError && error.httpStatus < 500 ? [[id, error.message]] : [];
        }
      }),
    );
    return new Map(found.flat());
  }

  /** @throws ServiceError not_found, invalid_request naming each wrong field, or, when it enables, what the key lacks */
  async update(id: string, change: ScheduleUpdate, call: CallContext): Promise<StandingSchedule> {
    const { store, catalogue, newest, clock } = this.#deps;
    refuseOwnDate(change.params);
    const { name, enabled, calendar, params } = change;
    const { model_id, view, api_key_id, enabled: wasEnabled } = await this.#find(id);
    const enables = enabled === true && !wasEnabled;
    if (enables) await requireUsable(api_key_id, this.#deps, call);
    if (params) await catalogue.validateRun({ model_id, params, view }, inMarketOf(api_key_id, call));
    const beginsAfter = enables ? await newest.read() : undefined;
    await store.change(id, { name: name?.trim(), calendar, params });
    if (beginsAfter !== undefined) await store.enable(id, beginsAfter);
    if (enabled === false) await store.disable(id, clock());
    const changed = (await this.list(call)).find((schedule) => schedule.id === id);
    if (!changed) throw unknown(id);
    return changed;
  }

  /** @throws ServiceError not_found */
  async delete(id: string): Promise<void> {
    if (!(await this.#deps.store.delete(id))) throw unknown(id);
  }

  /** Outcomes of schedules, newest first, including deleted schedules. */
  async listFirings(scheduleId: string | undefined, limit: number): Promise<FiringRow[]> {
    return this.#deps.firings.list(scheduleId, limit);
  }

  async #find(id: string): Promise<ScheduleRow> {
    const schedule = await this.#deps.store.find(id);
    if (!schedule) throw unknown(id);
    return schedule;
  }

  /** @param place how far the schedule has come in the served market; undefined in the first second after it was new */
  #standingOf(
    { enabled, ended_because, calendar }: ScheduleRow,
    served: ServedMarket | undefined,
    place: Place | undefined,
    keyRefusal: string | undefined,
  ): Pick<StandingSchedule, 'fires_after' | 'held_up_by'> {
    const { heldUpMs, clock } = this.#deps;
    if (!enabled) return { fires_after: undefined, held_up_by: ended_because ?? undefined };
    if (!served) return { fires_after: undefined, held_up_by: 'No dataset is known to be served.' };
    if (place === undefined) return { fires_after: undefined, held_up_by: keyRefusal };
    const isBehind = served.day < place.after_day;
    const behind = isBehind ? sayBehind(served, place, { heldUpMs, now: clock() }) : undefined;
    return { fires_after: periodEnd(calendar, place.after_day), held_up_by: keyRefusal ?? behind };
  }
}

/** The key sees its own market, whoever makes its schedule. */
function inMarketOf(apiKeyId: string, call: CallContext): CallContext {
  return { ...call, market: marketOfKey(apiKeyId) };
}

function unknown(id: string): ServiceError {
  return new ServiceError('not_found', `There is no schedule ${id}.`);
}

/** Refuses an analysis date, which the calendar sets. The model checks the other parameters. */
function refuseOwnDate(params: Record<string, unknown> | undefined): void {
  if (!params || !Object.hasOwn(params, 'analysis_date')) return;
  const msg = 'is the calendar’s to say: every run analyses the newest trading day';
  const input = params['analysis_date'];
  refuse([{ loc: ['body', 'params', 'analysis_date'], msg, type: 'extra_forbidden', input }]);
}
