import type { KeysServiceService } from '#proto/saring/keys/v1/keys.ts';
import type { CatalogueServiceService } from '#proto/saring/models/v1/catalogue.ts';
import type { Clock } from '#shared/clock.ts';
import type { CallContext } from '#shared/grpc/call-context.ts';
import type { ServiceClient } from '#shared/grpc/client.ts';
import type { IdSource } from '#shared/ids.ts';
import { refuse } from '#shared/invalid-request.ts';
import { ServiceError } from '#shared/service-error.ts';
import type { Calendar } from '#proto/saring/wire/v1/words.ts';
import type { NewestTradingDay } from './newest-trading-day.ts';
import type { FiringRow, FiringStore } from './store/firing-store.ts';
import type { ScheduleRow, ScheduleStore } from './store/schedule-store.ts';

type Params = Record<string, unknown>;

interface ScheduleRequest {
  name: string;
  api_key_id: string;
  end_user: string;
  model_id: string;
  params?: Params | undefined;
  view: string;
  calendar: Calendar;
}

/** The fields to change; undefined fields keep their value. */
interface ScheduleUpdate {
  name?: string | undefined;
  enabled?: boolean | undefined;
  calendar?: Calendar | undefined;
  params?: Params | undefined;
}

interface SchedulesDependencies {
  store: ScheduleStore;
  firings: FiringStore;
  keys: ServiceClient<KeysServiceService>;
  catalogue: ServiceClient<CatalogueServiceService>;
  newest: NewestTradingDay;
  clock: Clock;
  newId: IdSource;
}

/** Manages schedules. Asks the owning services about keys, models and trading days when a schedule is created or changed. */
export class Schedules {
  readonly #deps: SchedulesDependencies;

  constructor(deps: SchedulesDependencies) {
    this.#deps = deps;
  }

  /** @throws ServiceError not_found for an unknown key, model_not_found, or invalid_request naming each wrong field */
  async create(request: ScheduleRequest, call: CallContext): Promise<ScheduleRow> {
    const { store, keys, catalogue, newest, clock, newId } = this.#deps;
    refuseOwnDate(request.params);
    const { params = {}, view, model_id, api_key_id, calendar } = request;
    await keys.getKey({ id: api_key_id }, call);
    await catalogue.validateRun({ model_id, params, view }, call);
    return store.insert({
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
      after_day: await newest.read(),
    });
  }

  /** Oldest first. */
  list(): Promise<ScheduleRow[]> {
    return this.#deps.store.list();
  }

  /** @throws ServiceError not_found, or invalid_request naming each wrong field */
  async update(id: string, change: ScheduleUpdate, call: CallContext): Promise<ScheduleRow> {
    const { store, catalogue, newest, clock } = this.#deps;
    refuseOwnDate(change.params);
    const { name, enabled, calendar, params } = change;
    const { model_id, view, enabled: wasEnabled } = await this.#find(id);
    if (params) await catalogue.validateRun({ model_id, params, view }, call);
    const beginsAfter = enabled === true && !wasEnabled ? await newest.read() : undefined;
    await store.change(id, { name: name?.trim(), calendar, params });
    if (beginsAfter !== undefined) await store.enable(id, beginsAfter);
    if (enabled === false) await store.disable(id, clock());
    return this.#find(id);
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
}

function unknown(id: string): ServiceError {
  return new ServiceError('not_found', `There is no schedule ${id}.`);
}

/** Refuses an analysis date, which the calendar sets. The model checks the other parameters. */
function refuseOwnDate(params: Params | undefined): void {
  if (!params || !Object.hasOwn(params, 'analysis_date')) return;
  const msg = 'is the calendar’s to say: every run analyses the newest trading day';
  const input = params['analysis_date'];
  refuse([{ loc: ['body', 'params', 'analysis_date'], msg, type: 'extra_forbidden', input }]);
}
