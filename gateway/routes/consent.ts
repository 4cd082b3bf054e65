import Type from 'typebox';
import { jakartaDateTime } from '#shared/jakarta-time.ts';
import { ServiceError } from '#shared/service-error.ts';
import { defineRoute } from '../routing/define-route.ts';
import { Answer } from '../answers/send-json.ts';
import { closed } from '../schemas/common.ts';
import {
  ConsentCheck,
  ConsentDocument,
  ConsentRecord,
  ConsentRequest,
  DocumentId,
  DocumentIdOrDefault,
} from '../schemas/consent.ts';

export const consentRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/v1/consent',
    operationId: 'checkConsent',
    tag: 'Consent',
    summary: 'Whether an end user has accepted a document',
    description:
      'Ask before you let an end user in, and block until `accepted` is true. When it is not, show the text of ' +
      '`required_version`, which `/api/v1/consent/documents/{document_id}` answers, and record the acceptance. Every ' +
      'change of the text closes the gate for everybody. Any failure of this call means: not accepted.',
    access: 'any key',
    needsEndUser: true,
    query: closed({ document_id: DocumentIdOrDefault }),
    responses: { 200: { description: 'How the end user stands.', schema: ConsentCheck } },
    errors: ['not_found', 'consent_unavailable'],
    handler: async ({ query: { document_id } }, call, { services }) => {
      const gate = { api_key_id: call.apiKeyId, end_user: call.endUser, document_id };
      const standing = await services.consent.checkConsent(gate, call);
      return {
        end_user: call.endUser,
        document_id,
        required_version: standing.required_version,
        accepted: standing.accepted,
        accepted_version: standing.accepted_version ?? null,
        accepted_at: standing.accepted_at ? jakartaDateTime(standing.accepted_at) : null,
      };
    },
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
    body: ConsentRequest,
    responses: { 201: { description: 'The acceptance is recorded.', schema: ConsentRecord } },
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
      const { consent_id, ts, replayed } = await orWriteFailed(services.consent.recordConsent(request, call));
      if (!ts) throw new Error('the consent service recorded an acceptance without saying when');
      const record = { consent_id, ts: ts.getTime() / 1_000, end_user: call.endUser, ...accepted };
      return new Answer(201, record, { isReplay: replayed });
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/v1/consent/documents/{document_id}',
    operationId: 'getConsentDocument',
    tag: 'Consent',
    summary: 'The text to show',
    description:
      'One text per language, all under one version: whoever accepts one of them accepts them all.',
    access: 'any key',
    params: closed({ document_id: DocumentId('Document id.') }),
    unknownIdCode: 'not_found',
    query: closed({
      locale: Type.Optional(
        Type.String({
          pattern: '^[!-~]{1,35}$',
          description: 'Language, as in `id` or `en`; the first of `locales` when left out.',
          examples: ['id'],
        }),
      ),
    }),
    responses: { 200: { description: 'The document.', schema: ConsentDocument } },
    errors: ['not_found', 'consent_unavailable'],
    handler: async ({ params: { document_id }, query: { locale } }, call, { services }) => ({
      document_id,
      ...(await services.consent.getDocument({ document_id, locale }, call)),
    }),
  }),
];

const NOT_RECORDED = 'The acceptance was not recorded; the gate stays closed. Try again.';

/** Whether a service that does not answer has written is unknown; the answer to a write says so. */
async function orWriteFailed<T>(recording: Promise<T>): Promise<T> {
  try {
    return await recording;
  } catch (thrown) {
    if (!(thrown instanceof ServiceError) || thrown.code !== 'consent_unavailable') throw thrown;
    const { isInDoubt, message } = thrown;
    throw new ServiceError('consent_write_failed', isInDoubt ? message : NOT_RECORDED, { cause: thrown });
  }
}
