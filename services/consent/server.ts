import type { ConsentServiceService } from '#proto/saring/consent/v1/consent.ts';
import type { Handlers } from '#shared/grpc/server.ts';
import type { Consents } from './consents.ts';
import { checking, writing } from './fail-closed.ts';
import { localTextOf, type Documents } from './texts/documents.ts';

/** The gRPC face of the consent service. */
export function consentHandlers(consents: Consents, documents: Documents): Handlers<ConsentServiceService> {
  return {
    checkConsent: (gate, call) =>
      checking(call, async () => {
        const { requiredVersion, accepted, latest } = await consents.check(gate);
        return {
          required_version: requiredVersion,
          accepted,
          accepted_version: latest?.document_version,
          accepted_at: latest?.ts,
        };
      }),
    recordConsent: (request, call) =>
      writing(call, async () => {
        const { record, replayed } = await consents.record(request, call.requestId, call);
        return { consent_id: record.consent_id, ts: record.ts, replayed };
      }),
    getDocument: async ({ document_id, locale }) => {
      const document = documents.get(document_id);
      return {
        ...localTextOf(document, locale),
        version: document.version,
        locales: [...document.texts.keys()],
      };
    },
  };
}
