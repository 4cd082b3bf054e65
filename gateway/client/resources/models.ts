import type { CallOptions } from '../api-types.ts';
import type { AnyModelId } from '../job-types.ts';
import type { Transport } from '../transport.ts';

/** The published models. */
export class Models {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async list(options: CallOptions = {}) {
    return (await this.#transport.get('/api/v1/models', options)).models;
  }

  /** One model with its parameters and an explanation in Bahasa Indonesia. */
  get(model: AnyModelId, options: CallOptions = {}) {
    return this.#transport.get('/api/v1/models/{model_id}', { path: { model_id: model }, ...options });
  }

  /** Its parameters by name, with defaults and bounds. */
  async params(model: AnyModelId, options: CallOptions = {}) {
    const path = { model_id: model };
    return (await this.#transport.get('/api/v1/models/{model_id}/params', { path, ...options })).params;
  }
}
