import type { RecordConsentRequest } from '#proto/saring/consent/v1/consent.ts';
import type { Clock } from '#foundation/clock.ts';
import { fingerprintOf } from '#platform/wire/idempotency.ts';
import type { IdSource } from '#foundation/ids.ts';
import { ServiceError, type FieldError } from '#foundation/errors/service-error.ts';
import type { Claims } from '#platform/postgres/claimed-rows.ts';
import { writeFailed } from './store/fail-closed.ts';
import type { ConsentRow, ConsentStore, Gate, Standing } from './store/consent-store.ts';
import type { Documents } from './texts/document.ts';

/**
 * A write starts within this time or not at all. This time plus the statement timeout is shorter than the time within which the
 * caller gets a response.
 */
const WRITE_WITHIN_MS = 1_500;
/** The part of a caller's deadline that is kept for the commit and for sending the response. */
const RESPONSE_MS = 1_500;
interface ConsentsDependencies {
  store: ConsentStore;
  documents: Documents;
  clock: Clock;
  newId: IdSource;
}

interface Waiting {
  /** Aborts when the caller disconnects. */
  signal: AbortSignal;
  /** How much longer the caller waits, in milliseconds. No limit when absent. */
  remainingMs?: number | undefined;
}

interface RecordedConsent {
  row: ConsentRow;
  /** Whether an earlier request with the same idempotency key made the record. */
  replayed: boolean;
}

/** Knows who has accepted which text, and records acceptances. */
export class Consents {
  readonly #deps: ConsentsDependencies;

  constructor(deps: ConsentsDependencies) {
    this.#deps = deps;
  }

  /** @throws ServiceError not_found for an unknown document. */
  async check(gate: Gate): Promise<Standing & { requiredVersion: string }> {
    const { version } = this.#deps.documents.get(gate.document_id);
    return { ...(await this.#deps.store.standing(gate, version)), requiredVersion: version };
  }

  /**
   * Writes nothing once the caller has left or can hardly be answered in time. A repeated request gets the response of the first
   * one, even if the text has changed since: its caller only missed that response.
   * @throws ServiceError consent_not_accepted, idempotency_conflict, not_found, stale_document_version, or consent_write_failed
   * when the database takes too long. The call has then recorded nothing and will not record anything later, unless the error
   * is in doubt.
   */
  async record(
    request: RecordConsentRequest,
    requestId: string,
    { signal, remainingMs = Infinity }: Waiting,
  ): Promise<RecordedConsent> {
    const writeUntilMs = performance.now() + Math.min(WRITE_WITHIN_MS, remainingMs - RESPONSE_MS);
    if (!request.accepted) {
      const detail: FieldError[] = [
        { loc: ['accepted'], msg: 'must be true', type: 'value_error', input: false },
      ];
      throw new ServiceError('consent_not_accepted', '`accepted` must be true: nothing was recorded.', {
        detail,
      });
    }
    const { store, clock } = this.#deps;
    const claims = claimsOf(request);
    const earlier = await store.claimed.madeByKey(request, claims.repeatable, clock());
    if (earlier) return earlier;
    this.#requireCurrent(request);

    const leftMs = () => (signal.aborted ? 0 : writeUntilMs - performance.now());
    const fresh = this.#newRecord(request, requestId);
    const row = leftMs() > 0 ? await store.append(fresh, claims, leftMs) : undefined;
    if (row) return { row, replayed: false };
    const made = await store.claimed.madeInstead(request, claims, { now: clock(), signal });
    if (!made) throw writeFailed();
    return made;
  }

  /** Removes expired idempotency keys and submissions. Stops between two batches when `signal` aborts. */
  forgetKeys(signal: AbortSignal): Promise<void> {
    return this.#deps.store.claimed.removeExpired(this.#deps.clock(), signal);
  }

  #requireCurrent({ document_id, document_version }: RecordConsentRequest): void {
    const { version } = this.#deps.documents.get(document_id);
    if (document_version === version) return;
    throw new ServiceError(
      'stale_document_version',
      `The text of ${document_id} has changed: show and accept version ${version}.`,
    );
  }

  #newRecord(request: RecordConsentRequest, requestId: string) {
    const { api_key_id, end_user, document_id, document_version, locale, client_version } = request;
    return {
      consent_id: this.#deps.newId('cs'),
      ts: this.#deps.clock(),
      api_key_id,
      end_user,
      document_id,
      document_version,
      locale: locale ?? null,
      client_version: client_version ?? null,
      request_id: requestId,
    };
  }
}

function claimsOf(request: RecordConsentRequest): Claims {
  const { idempotency_key: key, submission_id: submissionId, api_key_id: _owner, ...requested } = request;
  return {
    submissionId,
    repeatable: key === undefined ? undefined : { key, fingerprint: fingerprintOf(requested) },
  };
}
