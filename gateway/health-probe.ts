import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import type { CallContext } from '#shared/grpc/call-context.ts';
import { SERVICE_NAMES, type ServiceName, type Services } from './services.ts';

/** A part that takes longer counts as down, so that the answer comes soon also when everything is away. */
const PROBE_TIMEOUT_MS = 1_000;
/** Anybody may ask as often as they like: they share one round of probes per this time. */
const LIFETIME_MS = 500;

export interface SystemState {
  dataLoaded: boolean;
  dataset: Dataset | undefined;
  services: Record<ServiceName, 'up' | 'down'>;
}

/** How the services are, asked at most once in a while. */
export class HealthProbe {
  readonly #services: Services;
  readonly #nowMs: () => number;
  #latest: { state: Promise<SystemState>; askedAtMs: number } | undefined;

  constructor(services: Services, nowMs: () => number) {
    this.#services = services;
    this.#nowMs = nowMs;
  }

  /** Never fails: what cannot be asked is down. */
  state(call: CallContext): Promise<SystemState> {
    const askedAtMs = this.#nowMs();
    if (!this.#latest || askedAtMs - this.#latest.askedAtMs >= LIFETIME_MS) {
      this.#latest = { askedAtMs, state: this.#probe(call) };
    }
    return this.#latest.state;
  }

  async #probe({ requestId }: CallContext): Promise<SystemState> {
    const options = { requestId, timeoutMs: PROBE_TIMEOUT_MS };
    const [data, ...states] = await Promise.all([
      this.#services.datasets.getCurrentDataset({}, options).catch(() => undefined),
      ...SERVICE_NAMES.map((name) => this.#serves(name, options)),
    ]);
    const services = Object.fromEntries(SERVICE_NAMES.map((name, i) => [name, states[i] ? 'up' : 'down']));
    return {
      dataLoaded: data?.data_loaded ?? false,
      dataset: data?.dataset,
      services: services as SystemState['services'],
    };
  }

  async #serves(name: ServiceName, options: CallContext & { timeoutMs: number }): Promise<boolean> {
    try {
      const { status } = (await this.#services.health[name]['Check']!({ service: '' }, options)) as {
        status: string;
      };
      return status === 'SERVING';
    } catch {
      return false;
    }
  }
}
