import fc from 'fast-check';
import { Rest } from '../rest/rest.ts';
import { fleetFileIn } from '../fleets/fleet.ts';
import { issueKey, TENANT_SCOPES } from '../fleets/issued-keys.ts';
import {
  accountUnderTest,
  accountValues,
  marketUnderTest,
  marketValues,
  type NamedValues,
} from './named-values.ts';
import { ResponseCheck } from './response-check.ts';
import { FuzzRequest, put, type RequestDraft } from './fuzz-request.ts';
import { FuzzClient, type WireResponse } from './fuzz-client.ts';
import { parameterValues, runnableModels, type RunnableModel, emptyRun, runDrafts } from './run-requests.ts';
import { operationsOf, type Operation } from '../declared-api/openapi-document.ts';
import { screensUnderTest, screenValues } from './screen-values.ts';
import { webhooksUnderTest, webhookValues } from './webhook-values.ts';
import { validDrafts } from './valid-requests.ts';

const EVERY_SCOPE = `${TENANT_SCOPES},usage:admin`;

/** Among this many valid requests of an operation, at least one finds something. */
const MAX_TRIES = 50;

/** Statuses with which an operation may refuse a valid request, because the document does not say everything. */
const MAY_REFUSE: Record<string, readonly number[]> = {
  // Other backfills of the key may be running.
  startBackfill: [429],
  // A screen has either rules or a model, and not every model runs with any parameters.
  createScreen: [422],
  // The same, and others may have replaced the version that the request names.
  replaceScreen: [422, 409],
  // A simulation follows a screen. The shortest keys may belong to a run of a model already.
  submitSimulation: [422, 409],
  // Five replaced secrets of the webhook may sign already.
  rotateWebhookSecret: [422],
  // The request names a number that the key may not have reached.
  listEvents: [422],
};

interface KnownValues {
  usual: NamedValues;
  /** For operations that delete what they name. */
  toDelete: NamedValues;
  /** For rotations, of which a webhook takes five a day. */
  toRotate: NamedValues;
}

/** A gateway with a key that may do everything, and known values from its data. */
export class FuzzedApi {
  readonly client: FuzzClient;
  readonly models: RunnableModel[];
  readonly #values: KnownValues;
  /** The operations that cancel a run and a backfill. */
  readonly #cancels: readonly Operation[];

  private constructor(
    client: FuzzClient,
    models: RunnableModel[],
    values: KnownValues,
    cancels: readonly Operation[],
  ) {
    [this.client, this.models, this.#values, this.#cancels] = [client, models, values, cancels];
  }

  static async of(stateDir: string, baseUrl: string): Promise<FuzzedApi> {
    const { id, key } = await issueKey(stateDir, EVERY_SCOPE);
    const rest = new Rest(baseUrl, key);
    const market = await marketUnderTest(rest);
    const account = await accountUnderTest(rest, id);
    const saved = await screensUnderTest(rest, account.endUsers[0]!);
    const webhooks = await webhooksUnderTest(rest);
    const common = { ...marketValues(market), ...parameterValues(market), ...accountValues(account) };
    const values = {
      usual: { ...common, ...screenValues(saved.kept), ...webhookValues(webhooks.kept) },
      toDelete: { ...common, ...screenValues(saved.toDelete), ...webhookValues(webhooks.toDelete) },
      toRotate: { ...common, ...webhookValues(webhooks.toRotate) },
    };
    const models = await runnableModels(rest);
    const cancels = await operationsOf(baseUrl, ({ path }) => path.endsWith('/cancel'));
    const { operator_token } = await fleetFileIn(stateDir);
    return new FuzzedApi(new FuzzClient(baseUrl, key, operator_token), models, values, cancels);
  }

  get values(): NamedValues {
    return this.#values.usual;
  }

  /** Valid requests of an operation with random inputs. */
  draftsOf(operation: Operation): fc.Arbitrary<RequestDraft> {
    if (isSubmission(operation)) return runDrafts(operation, this.models, this.values);
    const drafts = validDrafts(operation, this.#valuesFor(operation));
    return operation.operationId === 'submitSimulation' ? drafts.map(ofScreen) : drafts;
  }

  #valuesFor({ method, operationId }: Operation): NamedValues {
    if (operationId === 'rotateWebhookSecret') return this.#values.toRotate;
    return method === 'delete' ? this.#values.toDelete : this.values;
  }

  /** The parts of a valid request that finds something. */
  async foundBy(operation: Operation): Promise<RequestDraft> {
    if (isSubmission(operation)) return emptyRun();
    for (const draft of fc.sample(this.draftsOf(operation), { numRuns: MAX_TRIES, seed: 1 })) {
      const { status } = await this.client.send(new FuzzRequest(operation, draft));
      if (status < 300) return draft;
    }
    throw new Error(`no valid request of ${operation.operationId} finds anything`);
  }

  /**
   * Faults in the answer to a valid request and in what follows from it: the page to which its cursor leads, and the
   * cancellation of the run or backfill that it started.
   */
  async faultsOfValid(check: ResponseCheck, response: WireResponse, request: FuzzRequest): Promise<string[]> {
    const { operationId } = request.operation;
    if (MAY_REFUSE[operationId]?.includes(response.status)) return check.faults(response);
    // Without positions every day of this model would fail.
    if (operationId === 'startBackfill' && request.target.includes('/recovery_v4/'))
      return [...check.faults(response), ...(response.status === 422 ? [] : [`got ${response.status}`])];
    const faults = [...check.faults(response), ...check.faultsOfSuccess(response)];
    if (faults.length > 0 || response.status >= 300) return faults;
    const { next_cursor, job_id, backfill_id } = bodyOf(response);
    const cursor = response.headers['x-next-cursor'] ?? next_cursor;
    if (typeof cursor === 'string') {
      const next = await this.client.send(request.after(cursor));
      return [...check.faults(next), ...(next.status === 200 ? [] : [`the next page got ${next.status}`])];
    }
    if (operationId === 'submitRun' && typeof job_id === 'string')
      return this.#faultsOfCancelling('cancelJob', { job_id });
    if (operationId === 'startBackfill' && typeof backfill_id === 'string')
      return this.#faultsOfCancelling('cancelBackfill', { backfill_id });
    return [];
  }

  async #faultsOfCancelling(operationId: string, path: Record<string, string>): Promise<string[]> {
    const cancel = this.#cancels.find((operation) => operation.operationId === operationId)!;
    const check = new ResponseCheck(cancel);
    const draft: RequestDraft = { path, query: [], headers: {}, body: undefined };
    const response = await this.client.send(new FuzzRequest(cancel, draft));
    return [...check.faults(response), ...check.faultsOfSuccess(response)];
  }
}

function isSubmission({ operationId }: Operation): boolean {
  return operationId === 'submitRun';
}

function bodyOf({ headers, text }: WireResponse): Record<string, unknown> {
  const isJson = headers['content-type']?.includes('application/json');
  return isJson ? (JSON.parse(text) as Record<string, unknown>) : {};
}

/** A simulation of a screen. One of a model needs a backfill that covers its span. */
function ofScreen(draft: RequestDraft): RequestDraft {
  return put(put(draft, ['body', 'model_id']), ['body', 'params']);
}
