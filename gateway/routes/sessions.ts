import Type from 'typebox';
import type { Session } from '#proto/saring/keys/v1/keys.ts';
import { named } from '#foundation/schema.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { messageNamed } from '#platform/wire/descriptors.ts';
import { jsonOf } from '#platform/wire/message-json.ts';
import { responseSchema } from '#platform/wire/message-schema.ts';
import { CSRF_HEADER, csrfTokenOf } from '../request/session-cookie.ts';
import { JsonResponse } from '../responses/send-json.ts';
import type { ClientCall } from '../request/client-call.ts';
import { defineRoute } from '../routing/define-route.ts';
import { nullable } from '../schemas/common.ts';
import type { Services } from '../backend/services.ts';
import { pathSchema, responseOf } from '../declarations/call-schemas.ts';

const session = messageNamed('saring.keys.v1.Session');
const sessionJson = jsonOf(session) as (session: Session) => object;

const CSRF_TOKEN = Type.String({
  description: `Token of the session, which every request that changes something sends as \`${CSRF_HEADER}\`.`,
});

const StartedSession = named(
  'StartedSession',
  Type.Object({ session: responseSchema(session), csrf_token: CSRF_TOKEN }),
);

const SessionList = named(
  'SessionList',
  Type.Object({
    sessions: Type.Array(responseSchema(session), {
      description: 'Sessions that still work, the one used last first.',
    }),
    current: nullable(StartedSession, 'The session of the request. Null if it was sent with a key.'),
  }),
);

const NewSession = named(
  'NewSession',
  Type.Object(
    {
      keep: Type.Optional(
        Type.Boolean({
          default: true,
          description: 'Whether the browser stays signed in when it is closed, until the session ends.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
);

/** What a page gets of its session: never the secret, which is in the cookie alone. */
function shown(of: Session, secret: string) {
  return { session: sessionJson(of), csrf_token: csrfTokenOf(secret) };
}

/** Signs the browser of a call in with a key. */
export async function startSession(
  { keys }: Pick<Services, 'keys'>,
  call: ClientCall,
  { keyId, key, keep }: { keyId: string; key: string; keep: boolean },
) {
  const { session: started, secret } = await keys.startSession(
    { api_key_id: keyId, browser: call.browser, secret: key },
    call,
  );
  call.signIn(secret, { keep });
  return shown(started!, secret);
}

const common = { tag: 'Sessions', access: 'any key' } as const;

export const sessionRoutes = [
  defineRoute({
    ...common,
    method: 'post',
    path: '/api/v1/sessions',
    operationId: 'startSession',
    client: 'sessions.start',
    repeatable: 'never',
    summary: 'Sign a browser in',
    description:
      'Exchanges the API key of the request for a session, so that a page need not keep the key. The secret of the session is set as a ' +
      'cookie that no script can read and no other site can have sent. It authenticates requests of pages of this origin that carry no ' +
      `key. Each that changes something sends \`csrf_token\` as \`${CSRF_HEADER}\`. A session ends when it is not used for 12 hours, ` +
      'after 30 days, with the secret that started it, and at once when its key is disabled, deleted or given a new secret. A key has ' +
      'at most 100 sessions; one more ends the oldest. A session cannot start another one.',
    body: NewSession,
    responses: { 201: { description: 'The session. Its cookie is set.', schema: StartedSession } },
    errors: [],
    handler: async ({ body }, call, { services }) => {
      if (call.session !== undefined)
        throw new ServiceError(
          'missing_api_key',
          'A session is started with an API key, not with another session.',
        );
      const keep = body.keep ?? true;
      return new JsonResponse(
        201,
        await startSession(services, call, { keyId: call.apiKeyId, key: call.secret, keep }),
      );
    },
  }),
  defineRoute({
    ...common,
    method: 'get',
    path: '/api/v1/sessions',
    operationId: 'listSessions',
    client: 'sessions.list',
    summary: 'List sessions',
    description:
      'Lists the browsers that are signed in with the calling key. A page that is opened again finds its own session in `current`, with ' +
      'its token.',
    responses: { 200: { description: 'The sessions of the key.', schema: SessionList } },
    errors: [],
    handler: async (_input, call, { services }) => {
      const { apiKeyId: api_key_id, session: secret } = call;
      const [{ sessions }, current] = await Promise.all([
        services.keys.listSessions({ api_key_id }, call),
        secret === undefined ? undefined : services.keys.authenticate({ secret }, call),
      ]);
      return {
        sessions: sessions.map(sessionJson),
        current: current?.session ? shown(current.session, secret!) : null,
      };
    },
  }),
  defineRoute({
    ...common,
    method: 'delete',
    path: '/api/v1/sessions/{session_id}',
    operationId: 'endSession',
    client: 'sessions.end',
    summary: 'End a session',
    description:
      'Signs a browser of the calling key out, from its next request on. A session can end itself, and its cookie is then removed.',
    params: pathSchema(['keys', 'endSession'], ['session_id']),
    responses: { 200: { description: 'The session has ended.', schema: responseOf(['keys', 'endSession']) } },
    unknownIdCode: 'not_found',
    errors: ['not_found'],
    handler: async ({ params: { session_id } }, call, { services }) => {
      const { apiKeyId: api_key_id, session: secret } = call;
      const own = secret === undefined ? undefined : await services.keys.authenticate({ secret }, call);
      const ended = await services.keys.endSession({ api_key_id, session_id }, call);
      if (own?.session?.session_id === session_id) call.signOut();
      return ended;
    },
  }),
];
