import type { AnyModelId, CallOptions } from '../api-types.ts';
import { asQuery, type QueryOptions } from '../call-options.ts';
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

  /** One model with its parameters and an explanation, in the language of the client. */
  get(model: AnyModelId, options: CallOptions = {}) {
    return this.#transport.get('/api/v1/models/{model_id}', { path: { model_id: model }, ...options });
  }

  /** Display names of features, by the names that contributions use. */
  async features(options: CallOptions = {}) {
    return (await this.#transport.get('/api/v1/features', options)).features;
  }

  /** How a model’s picks performed: those of the operator’s daily runs, and those of this key’s runs. */
  record(model: AnyModelId, requested: QueryOptions<'/api/v1/models/{model_id}/record'> = {}) {
    const path = { model_id: model };
    return this.#transport.get('/api/v1/models/{model_id}/record', { path, ...asQuery(requested) });
  }

  /** Parameters of a model by name, with defaults and bounds. */
  async params(model: AnyModelId, options: CallOptions = {}) {
    const path = { model_id: model };
    return (await this.#transport.get('/api/v1/models/{model_id}/params', { path, ...options })).params;
  }
}
