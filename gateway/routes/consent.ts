import { ServiceError } from '#foundation/errors/service-error.ts';
import { jsonOf } from '#platform/wire/message-json.ts';
import { responseSchema } from '#platform/wire/message-schema.ts';
import { JsonResponse, JsonText } from '../responses/send-json.ts';
import { defineRoute } from '../routing/define-route.ts';
import { bodySchema, methodOf, pathSchema, querySchema } from '../declarations/call-schemas.ts';
import { factsOf } from '../declarations/route-facts.ts';

const recording = methodOf(['consent', 'recordConsent']);
const recordJson = jsonOf(recording.output);
const reading = methodOf(['consent', 'getDocument']);
const documentJson = jsonOf(reading.output);
const Acceptance = bodySchema(
  ['consent', 'recordConsent'],
  ['document_id', 'document_version', 'accepted', 'locale', 'client_version'],
);

const recordingFacts = factsOf(['consent', 'recordConsent']);

export const consentRoutes = [
  defineRoute({
    ...recordingFacts,
    // A service that does not respond is `consent_write_failed` here.
    errors: recordingFacts.errors.filter((code) => code !== 'consent_unavailable'),
    body: Acceptance,
    responses: {
      201: { description: 'The recorded acceptance.', schema: responseSchema(recording.output) },
    },
    handler: async ({ body: { locale, client_version, ...accepted } }, call, { services }) => {
      const request = {
        ...accepted,
        api_key_id: call.apiKeyId,
        end_user: call.endUser,
        locale: locale ?? undefined,
        client_version: client_version ?? undefined,
        idempotency_key: call.idempotencyKey,
      };
      const record = await orWriteFailed(services.consent.recordConsent(request, call));
      return new JsonResponse(201, recordJson(record), { isReplay: record.replayed });
    },
  }),
  defineRoute({
    ...factsOf(['consent', 'getDocument']),
    hasSentences: true,
    params: pathSchema(['consent', 'getDocument'], ['document_id']),
    query: querySchema(['consent', 'getDocument'], ['locale']),
    responses: { 200: { description: 'The document.', schema: responseSchema(reading.output) } },
    handler: async ({ params, query }, call, { services }) => {
      const requested = { ...params, locale: query.locale, accept_language: call.acceptLanguage };
      const document = await services.consent.getDocument(requested, call);
      return new JsonText(JSON.stringify(documentJson(document)), undefined, document.locale);
    },
  }),
];

const NOT_RECORDED = 'The acceptance was not recorded; the gate stays closed. Try again.';

/** Turns `consent_unavailable` into `consent_write_failed`. If the service did not answer, the acceptance may have been recorded. */
async function orWriteFailed<T>(recording: Promise<T>): Promise<T> {
  try {
    return await recording;
  } catch (thrown) {
    if (!(thrown instanceof ServiceError) || thrown.code !== 'consent_unavailable') throw thrown;
    const { isInDoubt } = thrown;
    throw new ServiceError('consent_write_failed', NOT_RECORDED, { cause: thrown, isInDoubt });
  }
}
