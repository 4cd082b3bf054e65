import type { ConsentServiceService } from '#proto/saring/consent/v1/consent.ts';
import type { Handlers } from '#platform/grpc/server.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';

const VERSION = '00000000000000000000000000000001';
const ACCEPTED_AT = new Date('2024-06-28T10:00:00.250Z');

/** One document, and the end users who accepted it since the start. */
export function fakeConsent(): Handlers<ConsentServiceService> {
  const accepted = new Set<string>();
  const requireDocument = (id: string) => {
    if (id !== 'fair_disclaimer') throw new ServiceError('not_found', 'There is no such document.');
  };
  return {
    checkConsent: async ({ document_id, end_user }) => {
      requireDocument(document_id);
      const isAccepted = accepted.has(end_user);
      return {
        end_user,
        document_id,
        required_version: VERSION,
        accepted: isAccepted,
        accepted_version: isAccepted ? VERSION : undefined,
        accepted_at: isAccepted ? ACCEPTED_AT : undefined,
      };
    },
    recordConsent: async (request) => {
      if (!request.accepted) throw new ServiceError('consent_not_accepted', 'It must be accepted.');
      requireDocument(request.document_id);
      if (request.document_version !== VERSION)
        throw new ServiceError('stale_document_version', `Version ${VERSION} is required.`);
      const replayed = accepted.has(request.end_user) && request.idempotency_key !== undefined;
      accepted.add(request.end_user);
      const { end_user, document_id, document_version } = request;
      return {
        consent_id: 'cs_1',
        ts: ACCEPTED_AT,
        end_user,
        document_id,
        document_version,
        accepted: true,
        replayed,
      };
    },
    getDocument: async ({ document_id, locale = 'id' }) => {
      requireDocument(document_id);
      const text = { title: 'Penafian', text: 'Bukan nasihat.' };
      return { document_id, version: VERSION, locale, locales: ['id', 'en'], ...text };
    },
  };
}
