import type { ConsentServiceService } from '#proto/saring/consent/v1/consent.ts';
import { withDatabase } from '#platform/postgres/postgres-unavailable.ts';
import type { Handlers } from '#platform/grpc/server.ts';
import type { Consents } from './consent-gate.ts';
import { checking, writing } from './store/fail-closed.ts';
import { preferredOf } from '#foundation/text/languages.ts';
import { localTextOf, type Documents } from './texts/document.ts';

const UNAVAILABLE = 'Acceptances cannot be read at the moment. Try again.';
/** While the database is unavailable, work fails with consent_unavailable. */
export const whileThere = <T>(work: () => Promise<T>) =>
  withDatabase('consent_unavailable', UNAVAILABLE, work);

export function consentHandlers(consents: Consents, documents: Documents): Handlers<ConsentServiceService> {
  return {
    checkConsent: (gate, call) =>
      checking(call, async () => {
        const { requiredVersion, accepted, latest } = await consents.check(gate);
        return {
          end_user: gate.end_user,
          document_id: gate.document_id,
          required_version: requiredVersion,
          accepted,
          accepted_version: latest?.document_version,
          accepted_at: latest?.ts,
        };
      }),
    recordConsent: (request, call) =>
      writing(call, async () => {
        const { row, replayed } = await consents.record(request, call.requestId, call);
        const { consent_id, ts, end_user, document_id, document_version } = row;
        return { consent_id, ts, end_user, document_id, document_version, accepted: true, replayed };
      }),
    getDocument: async ({ document_id, locale, accept_language }) => {
      const document = documents.get(document_id);
      const preferred = preferredOf(accept_language, [...document.texts.keys()]);
      return {
        document_id,
        ...localTextOf(document, locale ?? preferred),
        version: document.version,
        locales: [...document.texts.keys()],
      };
    },
  };
}
