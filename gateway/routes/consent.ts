import { ServiceError } from '#shared/service-error.ts';
import { jsonOf } from '#shared/wire/message-json.ts';
import { answerSchema } from '#shared/wire/message-schema.ts';
import { Answer } from '../answers/send-json.ts';
import { defineRoute } from '../routing/define-route.ts';
import { bodySchema, methodOf, serviceRoute } from './service-route.ts';

const recording = methodOf(['consent', 'recordConsent']);
const recordJson = jsonOf(recording.output);
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
    summary: 'Whether an end user has accepted a document',
    description:
      'Ask before you let an end user in, and block until `accepted` is true. When it is not, show the text of ' +
      '`required_version`, which `/api/v1/consent/documents/{document_id}` answers, and record the acceptance. Every ' +
      'change of the text closes the gate for everybody. Any failure of this call means: not accepted.',
    access: 'any key',
    needsEndUser: true,
    answer: 'How the end user stands.',
    errors: ['not_found', 'consent_unavailable'],
  }),
  defineRoute({
    method: 'post',
    path: '/api/v1/consent',
    operationId: 'recordConsent',
    tag: 'Consent',
    summary: 'Record that an end user has accepted a document',
    description:
      'Every acceptance is a record of its own that is never changed or removed, also when the same version is ' +
      'accepted again. Any failure of this call means: nothing was recorded, and the gate stays closed; only a 503 may ' +
      'say in its message that this is not known, because what would know did not answer for some seconds. Such a ' +
      'request, like one whose answer you did not receive, is repeated with the same `Idempotency-Key`.',
    access: 'any key',
    needsEndUser: true,
    takesIdempotencyKey: true,
    body: Acceptance,
    responses: {
      201: { description: 'The acceptance is recorded.', schema: answerSchema(recording.output) },
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
      return new Answer(201, recordJson(record), { isReplay: record.replayed });
    },
  }),
  serviceRoute({
    method: 'get',
    path: '/api/v1/consent/documents/{document_id}',
    operationId: 'getConsentDocument',
    rpc: ['consent', 'getDocument'],
    tag: 'Consent',
    summary: 'The text to show',
    description:
      'One text per language, all under one version: whoever accepts one of them accepts them all.',
    access: 'any key',
    unknownIdCode: 'not_found',
    answer: 'The document.',
    errors: ['not_found', 'consent_unavailable'],
  }),
];

const NOT_RECORDED = 'The acceptance was not recorded; the gate stays closed. Try again.';

/**
 * Turns `consent_unavailable` into `consent_write_failed`. If the service did not answer, the acceptance may have
 * been recorded; the message then says so.
 */
async function orWriteFailed<T>(recording: Promise<T>): Promise<T> {
  try {
    return await recording;
  } catch (thrown) {
    if (!(thrown instanceof ServiceError) || thrown.code !== 'consent_unavailable') throw thrown;
    const { isInDoubt, message } = thrown;
    throw new ServiceError('consent_write_failed', isInDoubt ? message : NOT_RECORDED, { cause: thrown });
  }
}
