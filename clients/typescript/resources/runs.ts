import type { AnyModelId, CallOptions, JobOf, ViewOf } from '../api-types.ts';
import { apart } from '../call-options.ts';
import type { Transport } from '../transport.ts';

/** The input of a run. */
export interface RunInput<View extends string> extends CallOptions {
  /** Parameters by name, as `models.params` lists them; omitted ones take their defaults. */
  params?: Record<string, unknown> | null;
  /** `full` when absent. */
  view?: View;
  /** Seconds to hold the connection open for the result, 0 to 60; 0 when absent. */
  wait?: number;
}

export class Runs {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Submits a run. It is accepted only once, however often the request must be repeated. The job carries its result
   * if it ended within `wait`.
   */
  async submit<M extends AnyModelId, V extends ViewOf<M> = 'full' & ViewOf<M>>(
    model: M,
    input: RunInput<V> = {},
  ): Promise<JobOf<M, V>> {
    const [{ params, view, wait }, options] = apart(input);
    const job = await this.#transport.post('/api/v1/models/{model_id}/runs', {
      path: { model_id: model },
      query: { ...(view && { view }), ...(wait !== undefined && { wait }) },
      ...(params !== undefined && { body: { params } }),
      ...options,
    });
    return job as JobOf<M, V>;
  }
}
