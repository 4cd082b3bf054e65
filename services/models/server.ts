import type { Backfill, BackfillPage, BackfillsServiceService } from '#proto/saring/models/v1/backfills.ts';
import type { CatalogueServiceService, GetModelResponse } from '#proto/saring/models/v1/catalogue.ts';
import type { RecordServiceService } from '#proto/saring/models/v1/record.ts';
import type { RunsServiceService } from '#proto/saring/models/v1/runs.ts';
import { TEST_MARKET } from '#foundation/test-market.ts';
import type { Call } from '#platform/grpc/call-context.ts';
import type { Handlers } from '#platform/grpc/server.ts';
import { jakartaDateTime } from '#foundation/jakarta-time.ts';
import type { Model } from '#models/model/model.ts';
import { MODELS } from '#models/registry.ts';
import { SIMULATION_ID } from '#models/simulation/params.ts';
import { LANGUAGES } from '#foundation/text/languages.ts';
import { withoutNulls } from '#shared/without-nulls.ts';
import { explanationOf, modelOf, parameterEntry } from './catalogue/catalogue.ts';
import type { RequestedStocks } from './runs/requested-stocks.ts';
import type { Backfills } from './backfills/backfills.ts';
import type { PastPicks } from './backfills/past-picks.ts';
import type { CanaryResults } from './health/canary.ts';
import type { Jobs } from './runs/jobs.ts';
import type { ModelEvidence } from './record/model-evidence.ts';
import { headOnTheWire, Records } from './record/records.ts';
import { verify } from './record/verification.ts';
import type { BackfillPageRow, CountedBackfill } from './store/backfill-store.ts';
import type { RecordStore } from './store/record-store.ts';
import { requireTenant, type Runs, type Submission } from './runs/runs.ts';
import { diffOfRuns, explanationOfRun, modelOfRun, type LiveTier } from './nats/live-tier.ts';
import { checkedModels, type ModelCheckDates } from './health/model-checks.ts';
import { hopefulParams } from './catalogue/parameters.ts';
import { allOrUnavailable, streamOrUnavailable } from './store/unavailable.ts';

/** What the catalogue says of models besides their declaration. */
interface CatalogueKnowledge {
  canaries: Pick<CanaryResults, 'failureOf'>;
  evidence: Pick<ModelEvidence, 'of'>;
  /** Whether a worker has trained what runs with the defaults need on the served dataset. */
  areDefaultsTrained: () => boolean;
  stocks: Pick<RequestedStocks, 'named'>;
}

export function catalogueHandlers(
  dates: ModelCheckDates,
  { canaries, evidence, areDefaultsTrained, stocks }: CatalogueKnowledge,
): Handlers<CatalogueServiceService> {
  return {
    listModels: async (_request, call) => ({
      models: MODELS.map((model) => toModel(model, evidenceFor(call, evidence))),
    }),
    getModel: async ({ model_id, language = LANGUAGES[0] }, call): Promise<GetModelResponse> => {
      const model = modelOf(model_id);
      const params = Object.entries(model.params).map(
        ([name, entry]) => [name, parameterEntry(entry, language)] as const,
      );
      return {
        model: toModel(model, evidenceFor(call, evidence)),
        params: Object.fromEntries(params),
        explanation: explanationOf(model, language),
      };
    },
    validateRun: async (request, { market }) => {
      await stocks.named(hopefulParams(request), undefined, market);
      return {};
    },
    checkModels: async () => ({
      models: checkedModels(dates, canaries),
      defaults_learnt: areDefaultsTrained(),
    }),
  };
}

interface RunsHandlersDependencies {
  runs: Runs;
  jobs: Jobs;
  live: Pick<LiveTier, 'artefact'>;
  /** Ends open watches, so that shutdown need not wait for them. */
  stopping: AbortSignal;
}

export function runsHandlers({
  runs,
  jobs,
  live,
  stopping,
}: RunsHandlersDependencies): Handlers<RunsServiceService> {
  const submit = async (request: Omit<Submission, 'request_id'>, call: Call) => {
    requireTenant(request);
    const { run, replayed } = await runs.submit({ ...request, request_id: call.requestId }, call);
    return { job: await jobs.describe(run), replayed };
  };
  const handlers = allOrUnavailable<Omit<Handlers<RunsServiceService>, 'watchRun'>>({
    submitRun: submit,
    submitSimulation: (request, call) => submit({ ...request, model_id: SIMULATION_ID, view: 'full' }, call),
    closeIdempotencyKey: async ({ idempotency_key: key, ...of }) => ({
      job_id: await runs.closeKey({ ...of, key }),
    }),
    cancelRun: async ({ job_id, api_key_id }) => ({
      job: await jobs.describe(await runs.cancel(job_id, api_key_id)),
    }),
    getJob: async ({ job_id, api_key_id }) => ({
      job: await jobs.describe(await runs.get(job_id, api_key_id)),
    }),
    getRunModel: async ({ job_id, api_key_id }) => {
      const { onnx, fingerprint, dataset_version } = await modelOfRun(
        await runs.get(job_id, api_key_id),
        live,
      );
      return { onnx, fingerprint, dataset_version };
    },
    explainRun: async ({ job_id, api_key_id, ticker, language }) => {
      const run = await runs.get(job_id, api_key_id);
      const explanation = await explanationOfRun(run, { ticker, language }, live);
      return {
        explanation_json: Buffer.from(JSON.stringify(explanation)),
        dataset_version: explanation.dataset_version,
      };
    },
    diffRuns: async ({ job_id, with: other, api_key_id, language }) => {
      const [before, now] = [await runs.get(other, api_key_id), await runs.get(job_id, api_key_id)];
      const diff = await diffOfRuns([before, now], language, live);
      return {
        diff_json: Buffer.from(JSON.stringify(diff)),
        dataset_version: diff.now.dataset_version,
      };
    },
    listJobs: async ({ api_key_id, limit }) => {
      const described = await jobs.describeAll(await runs.newest(api_key_id, limit));
      return { jobs: described, count: described.length };
    },
    listRuns: async ({ limit, ...filter }) => {
      const rows = await runs.ofEveryKey(filter, limit);
      const described = await jobs.describeAll(rows);
      return {
        runs: rows.map(({ api_key_id, channel }, index) => ({
          job: described[index],
          api_key_id,
          channel,
        })),
      };
    },
    getQueue: ({ minutes }) => runs.queueOver(minutes),
  });
  return {
    ...handlers,
    watchRun: ({ job_id, api_key_id }, call) =>
      streamOrUnavailable(async function* () {
        const ended = AbortSignal.any([call.signal, stopping]);
        for await (const run of runs.watch(job_id, api_key_id, ended))
          yield { job: await jobs.describe(run) };
      }, stopping),
  };
}

export function recordHandlers(store: RecordStore): Handlers<RecordServiceService> {
  const records = new Records(store);
  return allOrUnavailable<Handlers<RecordServiceService>>({
    getRecord: (request) => records.get(request),
    verifyRecord: async ({ head: known }) => {
      const { head, ...found } = await verify(store, known);
      return { ...found, head: headOnTheWire(head) };
    },
  });
}

export function backfillsHandlers(
  backfills: Backfills,
  pastPicks: PastPicks,
): Handlers<BackfillsServiceService> {
  return allOrUnavailable<Handlers<BackfillsServiceService>>({
    startBackfill: async (request, { cost }) => {
      const { backfill, replayed } = await backfills.start(request, cost);
      return { backfill: toBackfill(backfill), replayed };
    },
    getBackfill: async ({ backfill_id, api_key_id }) => ({
      backfill: toBackfill(await backfills.get(backfill_id, api_key_id)),
    }),
    listBackfills: async ({ api_key_id, limit }) => {
      const found = (await backfills.newest(api_key_id, limit)).map(toBackfill);
      return { backfills: found, count: found.length };
    },
    listBackfillPages: async ({ backfill_id, api_key_id, after = '', limit }) => {
      const found = await backfills.pages(backfill_id, api_key_id, { after, limit: limit + 1 });
      const pages = found.slice(0, limit);
      const next = found.length > limit ? pages.at(-1)!.as_of : undefined;
      return {
        pages: pages.map(toPage),
        count: pages.length,
        next_url: next && `${pagesUrl(backfill_id)}?after=${next}&limit=${limit}`,
      };
    },
    listPastPicks: (request) => pastPicks.list(request),
    cancelBackfill: async ({ backfill_id, api_key_id }) => ({
      backfill: toBackfill(await backfills.cancel(backfill_id, api_key_id)),
    }),
  });
}

/** Picks on the test market are not recorded. */
function evidenceFor({ market }: Call, evidence: Pick<ModelEvidence, 'of'>): Pick<ModelEvidence, 'of'> {
  return market === TEST_MARKET ? { of: () => undefined } : evidence;
}

function toModel({ id, name, category, version }: Model, evidence: Pick<ModelEvidence, 'of'>) {
  return { id, name, category, version, evidence: evidence.of(id) };
}

function pagesUrl(backfillId: string): string {
  return `/api/v1/backfills/${backfillId}/pages`;
}

function toBackfill({ created_at, finished_at, days, done, failed, ...row }: CountedBackfill): Backfill {
  return {
    ...withoutNulls(row),
    from: row.from_day,
    to: row.to_day,
    days_total: days.length,
    days_done: done,
    days_failed: failed,
    created_at: jakartaDateTime(created_at),
    finished_at: finished_at ? jakartaDateTime(finished_at) : undefined,
    is_history: true,
    pages_url: pagesUrl(row.backfill_id),
  };
}

function toPage({ result_json, english: result_english, ...row }: BackfillPageRow): BackfillPage {
  const status = result_json === null ? 'failed' : 'succeeded';
  const day = { ...withoutNulls(row), status, pick_count: row.tickers.length, is_history: true };
  return { day, result_json: result_json === null ? undefined : Buffer.from(result_json), result_english };
}
