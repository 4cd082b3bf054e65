import { ServiceError } from '#shared/service-error.ts';
import { jsonOf } from '#shared/wire/message-json.ts';
import { responseSchema } from '#shared/wire/message-schema.ts';
import { JsonResponse, JsonText } from '../responses/send-json.ts';
import { defineRoute } from '../routing/define-route.ts';
import { bodySchema, methodOf, pathSchema, querySchema, serviceRoute } from './service-route.ts';

const recording = methodOf(['consent', 'recordConsent']);
const recordJson = jsonOf(recording.output);
const reading = methodOf(['consent', 'getDocument']);
const documentJson = jsonOf(reading.output);
const Acceptance = bodySchema(
  ['consent', 'recordConsent'],
  ['document_id', 'document_version', 'accepted', 'locale', 'client_version'],
);

export const consentRoutes = [
  serviceRoute({
    method: 'get',
    path: '/api/v1/consent',
    operationId: 'checkConsent',
    rpc: ['consent', 'checkConsent'],
    ofCaller: ['api_key_id', 'end_user'],
    tag: 'Consent',
    summary: 'Check the consent of an end user',
    description:
      'Call this before you let an end user in, and block access until `accepted` is true. If it is ' +
      'false, show the text of `required_version`, available at ' +
      '`/api/v1/consent/documents/{document_id}`, and record the acceptance. Every change of the text ' +
      'requires a new acceptance from every end user. Treat any failure of this call as not accepted.',
    access: 'any key',
    needsEndUser: true,
    answer: 'Consent status of the end user.',
    errors: ['not_found', 'consent_unavailable'],
  }),
  defineRoute({
    method: 'post',
    path: '/api/v1/consent',
    operationId: 'recordConsent',
    tag: 'Consent',
    summary: 'Record an acceptance',
    description:
      'Creates a record of the acceptance, which is never changed or removed. Accepting the same version ' +
      'again creates another record. If this call fails, nothing was recorded and the consent gate stays ' +
      'closed. The one exception is a 503 whose message says that the outcome is not known, because the ' +
      'service that would know did not respond for some seconds. Repeat such a request, and any request ' +
      'whose response you did not receive, with the same `Idempotency-Key`.',
    access: 'any key',
    needsEndUser: true,
    takesIdempotencyKey: true,
    body: Acceptance,
    responses: {
      201: { description: 'The recorded acceptance.', schema: responseSchema(recording.output) },
    },
    errors: ['consent_not_accepted', 'not_found', 'stale_document_version', 'consent_write_failed'],
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
    method: 'get',
    path: '/api/v1/consent/documents/{document_id}',
    operationId: 'getConsentDocument',
    tag: 'Consent',
    summary: 'Get a document',
    description:
      'Returns the text to show to end users. There is one text per language and a common version: ' +
      'accepting the text in one language accepts it in all of them. Without `locale`, the language is the ' +
      'one that `Accept-Language` prefers among those of the document.',
    access: 'any key',
    unknownIdCode: 'not_found',
    hasSentences: true,
    params: pathSchema(['consent', 'getDocument'], ['document_id']),
    query: querySchema(['consent', 'getDocument'], ['locale']),
    responses: { 200: { description: 'The document.', schema: responseSchema(reading.output) } },
    errors: ['not_found', 'consent_unavailable'],
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
