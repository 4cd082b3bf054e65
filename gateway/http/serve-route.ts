import type { RequestHandler } from 'express';
import { secretOf } from '../auth/authenticate.ts';
import { requireScope } from '../auth/require-scope.ts';
import { endUserOf } from '../auth/end-user.ts';
import type { Backend } from '../backend.ts';
import { ClientCall } from './client-call.ts';
import type { Route } from './define-route.ts';
import { placingMistakes } from './place-mistakes.ts';
import type { BodyReader } from './read-body.ts';
import { RenderedAnswer } from './rendered-answer.ts';
import type { EventStream } from './event-stream.ts';
import { sendAnswer } from './send-answer.ts';
import { sendEvents } from './send-events.ts';
import type { RouteInput } from './validation.ts';

export interface RouteStages {
  readBody: BodyReader;
  validate: (req: Parameters<RequestHandler>[0], body: unknown) => RouteInput;
  backend: Backend;
}

/** The way of a request through one route: scope, end user, body, validation, handler, answer. */
export function serveRoute(route: Route, { readBody, validate, backend }: RouteStages): RequestHandler {
  return async (req, res) => {
    requireScope(route.access, req.context.key);
    if (route.needsEndUser) req.context.endUser = endUserOf(req.headers['x-end-user']);
    const body = route.body && (await readBody(req, res));
    const input = validate(req, body);
    const call = new ClientCall(req, res);
    const handle = () => route.handler(input as never, call, backend);
    if (route.answers === 'an event stream') {
      const mayTell = backend.openStreams.enter(call, secretOf(req.headers), res);
      return sendEvents(req, res, (await placingMistakes(route, handle)) as EventStream | undefined, mayTell);
    }
    const make = async () => new RenderedAnswer(route, await placingMistakes(route, handle));
    const answer = route.rests ? await backend.answers.get(route, input, make) : await make();
    await sendAnswer(req, res, answer);
  };
}
