import type { BodyOf, CallOptions } from '../api-types.ts';
import { apart, asQuery, type QueryOptions } from '../call-options.ts';
import type { Transport } from '../transport.ts';

type Acceptance = Omit<BodyOf<'post', '/api/v1/consent'>, 'document_version' | 'accepted'>;

/** The consent gate. Treat every failure here as: the end user has not accepted. */
export class Consent {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Whether the end user has accepted the required version. */
  check(requested: QueryOptions<'/api/v1/consent'> = {}) {
    return this.#transport.get('/api/v1/consent', asQuery(requested));
  }

  /** The text to show, in one language. */
  document(documentId: string, requested: QueryOptions<'/api/v1/consent/documents/{document_id}'> = {}) {
    const path = { document_id: documentId };
    return this.#transport.get('/api/v1/consent/documents/{document_id}', { path, ...asQuery(requested) });
  }

  /** Records that the end user has accepted this version: once, however often the request must be repeated. */
  accept(documentVersion: string, requested: Acceptance & CallOptions = {}) {
    const [fields, options] = apart(requested);
    const body = { ...fields, document_version: documentVersion, accepted: true };
    return this.#transport.post('/api/v1/consent', { body, ...options });
  }
}
