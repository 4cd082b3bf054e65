import type { Dataset, Freshness } from '#proto/saring/market_data/v1/datasets.ts';
import type { ModelCheck } from '#proto/saring/models/v1/catalogue.ts';
import type { CountSchedulesResponse } from '#proto/saring/scheduler/v1/scheduler.ts';
import type { CallContext } from '#platform/grpc/call-context.ts';
import { healthNameOf, RUN_PARTS, type RunPart } from '#shared/runs/run-parts.ts';
import {
  OPTIONAL_SERVICES,
  SERVICE_NAMES,
  type OptionalService,
  type ServiceName,
} from '../declarations/called-services.ts';
import type { Services } from './services.ts';
import { isServing, type HealthClient } from '#platform/grpc/client.ts';
import { randomId } from '#foundation/ids.ts';
import type { Readiness } from '#platform/process/readiness.ts';

/** A part that takes longer counts as down, so that the response comes soon even if everything is down. */
const PROBE_TIMEOUT_MS = 1_000;
/** Callers share one round of probes per this time, however often they ask. */
const LIFETIME_MS = 500;

interface SystemState {
  dataLoaded: boolean;
  dataset: Dataset | undefined;
  /** How fresh the dataset is; undefined like the dataset. */
  freshness: Freshness | undefined;
  /** Empty if no version is lost. */
  lostVersion: string;
  /** Without the optional services that the gateway has no address for. */
  services: Record<ServiceName, State> & Partial<Record<OptionalService, State>>;
  /** undefined if the scheduler does not say. */
  schedules: CountSchedulesResponse | undefined;
  /** What the served dataset lacks for each model. undefined if the models service does not say. */
  models: ModelCheck[] | undefined;
  /** Whether a worker has trained what runs with the defaults need on the served dataset. */
  defaultsTrained: boolean;
  /** What a run needs to complete, as the models service found it in the last few seconds. */
  runs: Record<RunPart, State>;
}

type State = 'up' | 'down';

/** The state of the services, probed once per `LIFETIME_MS` at most. */
export class HealthProbe {
  readonly #services: Services;
  readonly #nowMs: () => number;
  #latest: { state: Promise<SystemState>; requestedAtMs: number } | undefined;

  constructor(services: Services, nowMs: () => number) {
    this.#services = services;
    this.#nowMs = nowMs;
  }

  /** Never rejects: a part that does not answer counts as down. */
  state(call: CallContext): Promise<SystemState> {
    const requestedAtMs = this.#nowMs();
    if (!this.#latest || requestedAtMs - this.#latest.requestedAtMs >= LIFETIME_MS) {
      this.#latest = { requestedAtMs, state: this.#probe(call) };
    }
    return this.#latest.state;
  }

  async #probe({ requestId }: CallContext): Promise<SystemState> {
    const options = { requestId, timeoutMs: PROBE_TIMEOUT_MS };
    const { health, scheduler, catalogue } = this.#services;
    const known = OPTIONAL_SERVICES.filter((name) => health[name] !== undefined);
    const [data, services, schedules, checked, runs] = await Promise.all([
      this.#services.datasets.getCurrentDataset({}, options).catch(() => undefined),
      statesOf([...SERVICE_NAMES, ...known], (name) => stateOf(health[name]!, '', options)),
      scheduler?.countSchedules({}, options).catch(() => undefined),
      catalogue.checkModels({}, options).catch(() => undefined),
      statesOf(RUN_PARTS, (part) => stateOf(health.models, healthNameOf(part), options)),
    ]);
    return {
      dataLoaded: data?.data_loaded ?? false,
      dataset: data?.dataset,
      freshness: data?.freshness,
      lostVersion: data?.lost_version ?? '',
      services,
      schedules,
      models: checked?.models,
      defaultsTrained: checked?.defaults_learnt ?? false,
      runs,
    };
  }
}

/** The state of a service, or of a part of it with its own name in the health check. */
async function stateOf(
  client: HealthClient,
  service: string,
  options: CallContext & { timeoutMs: number },
): Promise<State> {
  try {
    return (await isServing(client, options, service)) ? 'up' : 'down';
  } catch {
    return 'down';
  }
}

async function statesOf<Name extends string>(
  names: readonly Name[],
  stateOf: (name: Name) => Promise<State>,
): Promise<Record<Name, State>> {
  const states = await Promise.all(names.map(async (name) => [name, await stateOf(name)]));
  return Object.fromEntries(states) as Record<Name, State>;
}

/** Without it, no request passes authentication. Without another service, only the requests that need it fail. */
const NEEDED: ServiceName = 'keys';

/** Makes the gateway ready while the keys service is. Readiness also names every other part that is down. */
export function checkServices(readiness: Readiness, health: HealthProbe): void {
  const requireUp = async (what: string, isUp: (state: SystemState) => boolean) => {
    if (!isUp(await health.state({ requestId: randomId('req') }))) throw new Error(what);
  };
  for (const name of SERVICE_NAMES) {
    const check = () => requireUp('does not serve', ({ services }) => services[name] === 'up');
    readiness[name === NEEDED ? 'needs' : 'uses'](name, check);
  }
  readiness.uses('dataset', () =>
    requireUp('none is served', ({ dataLoaded, lostVersion }) => dataLoaded && lostVersion === ''),
  );
  readiness.uses('runs', () =>
    requireUp('no run can complete', ({ runs }) => Object.values(runs).every((state) => state === 'up')),
  );
}
