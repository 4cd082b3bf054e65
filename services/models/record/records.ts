import { LRUCache } from 'lru-cache';
import type {
  GetRecordRequest,
  GetRecordResponse,
  RecordHead,
  RecordPart,
} from '#proto/saring/models/v1/record.ts';
import type { Model } from '#models/model/model.ts';
import { ENTRY_SPREAD_PCT } from '#quant/labels/entry.ts';
import { modelOf } from '../catalogue/catalogue.ts';
import { isTestKey } from '#foundation/test-market.ts';
import { OPERATOR } from '#shared/runs/operator-runs.ts';
import type { RecordStore } from '../store/record-store.ts';
import type { Head } from '../store/record-chain.ts';
import { recordPart } from './figures.ts';

/** Maximum number of cached parts. A part stays cached until an entry changes it: intervals take a moment to compute. */
const MAX_CACHED = 500;

interface Span {
  from?: string | undefined;
  to?: string | undefined;
}

export class Records {
  readonly #store: Pick<RecordStore, 'head' | 'lastVersion' | 'lastChange' | 'runsOf'>;
  /** Keyed by request and by the last entry that can have changed the result. */
  readonly #cache = new LRUCache<string, RecordPart>({ max: MAX_CACHED });

  constructor(store: Pick<RecordStore, 'head' | 'lastVersion' | 'lastChange' | 'runsOf'>) {
    this.#store = store;
  }

  /** @throws ServiceError model_not_found */
  async get(request: GetRecordRequest): Promise<GetRecordResponse> {
    const { model_id, api_key_id, from, to } = request;
    const model = modelOf(model_id);
    if (isTestKey(api_key_id)) return emptyRecord(model);
    const [head, served] = await Promise.all([this.#store.head(), this.#store.lastVersion()]);
    const kind = served?.dataset_kind;
    const part = (key: string) => this.#part(model_id, key, kind, { from, to });
    return {
      ...emptyRecord(model),
      dataset_kind: kind,
      head: headOnTheWire(head),
      daily: await part(OPERATOR.api_key_id),
      own: await part(api_key_id),
    };
  }

  async #part(
    model_id: string,
    api_key_id: string,
    kind: string | undefined,
    span: Span,
  ): Promise<RecordPart> {
    if (kind === undefined) return recordPart([]);
    const last = await this.#store.lastChange(model_id, api_key_id);
    const key = [model_id, api_key_id, kind, span.from, span.to, last].join();
    const cached = this.#cache.get(key);
    if (cached) return cached;
    const part = recordPart(await this.#store.runsOf({ model_id, api_key_id, dataset_kind: kind, ...span }));
    this.#cache.set(key, part);
    return part;
  }
}

/** Nothing is recorded of the test market, whose days all came before its picks. */
function emptyRecord({ id, picks }: Model): GetRecordResponse {
  return {
    model_id: id,
    is_recorded: picks,
    dataset_kind: 'synthetic',
    definition: { entry: 'next_day_limit', entry_spread_pct: ENTRY_SPREAD_PCT },
    head: undefined,
    daily: recordPart([]),
    own: recordPart([]),
  };
}

/** Undefined for an empty record. */
export function headOnTheWire({ seq, hash }: Head): RecordHead | undefined {
  return seq === 0 ? undefined : { seq, hash };
}
