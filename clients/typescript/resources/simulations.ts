import type { BodyOf, CallOptions, Schemas } from '../api-types.ts';
import { apart } from '../call-options.ts';
import type { Transport } from '../transport.ts';

type Wanted = BodyOf<'post', '/api/v1/simulations'>;

/** A job whose result, once it has one, is that of a simulation. */
export type SimulationJob = Omit<Schemas['Job'], 'result'> & { result?: Schemas['SimulationResult'] };

/** What the picks of a screen or a model would have meant for somebody’s money. */
export class Simulations {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Submits a simulation. It is accepted only once, however often the request must be repeated. Follow its job with `jobs.follow`. */
  async submit(wanted: Wanted & CallOptions): Promise<SimulationJob> {
    const [body, options] = apart(wanted);
    const job = await this.#transport.post('/api/v1/simulations', { body, ...options });
    return job as SimulationJob;
  }
}
