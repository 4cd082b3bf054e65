import type { BodyOf, CallOptions } from '../api-types.ts';
import { apart } from '../call-options.ts';
import type { Transport } from '../transport.ts';

/** Browsers that are signed in with the key. For pages of the gateway’s own origin: applications send their key. */
export class Sessions {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Signs this browser in with the client’s key. Its cookie then takes the place of the key. */
  start(session: BodyOf<'post', '/api/v1/sessions'> & CallOptions = {}) {
    const [body, options] = apart(session);
    return this.#transport.post('/api/v1/sessions', { body, ...options });
  }

  /** The browsers that are signed in with the key, and the session of this browser, if it has one. */
  list(options: CallOptions = {}) {
    return this.#transport.get('/api/v1/sessions', options);
  }

  /** Signs a browser out. */
  end(sessionId: string, options: CallOptions = {}) {
    const path = { session_id: sessionId };
    return this.#transport.delete('/api/v1/sessions/{session_id}', { path, ...options });
  }
}
