import type { Static, TObject, TSchema } from 'typebox';
import type { Backend } from '../backend/backend.ts';
import type { ClientCall } from '../request/client-call.ts';
import type { DeclaredRoute, RouteDescription, RouteInputs } from '../declarations/route.ts';

type Handler<P, Q, B> = (
  input: { params: P; query: Q; body: B },
  call: ClientCall,
  backend: Backend,
) => unknown;

/** An endpoint as data, from which it is mounted, validated, answered and documented. */
export interface Route extends DeclaredRoute {
  handler: Handler<never, never, never>;
  stream?: { schema: TSchema; handler: Handler<never, never, never> };
}

/** Declares an endpoint. The handler's inputs have the types of their schemas. It may return a value or an Answer. */
export function defineRoute<
  P extends TObject = TObject<Record<never, never>>,
  Q extends TObject = TObject<Record<never, never>>,
  B extends TSchema = TSchema,
>(
  route: RouteDescription &
    RouteInputs<P, Q, B> & {
      handler: Handler<Static<P>, Static<Q>, Static<B>>;
      stream?: { schema: TSchema; handler: Handler<Static<P>, Static<Q>, Static<B>> };
    },
): Route {
  return route;
}
