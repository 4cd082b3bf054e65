import type { Schemas } from '#client/index.ts';
import { client } from '#console/session/session.ts';
import { draftOf, isSame, requestOf, type Draft } from '../rules/draft.ts';

/** A question which stocks pass. An open screen is run as it is saved while nothing in it is changed. */
export type Asked = { as_of?: string } & ({ screenId: string } | { request: ReturnType<typeof requestOf> });
export type Passing = Schemas['ScreenPreview'] | Schemas['ScreenRun'];

/** @param day empty for the newest */
export function askedBy(draft: Draft, screen: Schemas['Screen'] | undefined, day: string): Asked {
  const asOf = day === '' ? {} : { as_of: day };
  return screen && isSame(draft, draftOf(screen))
    ? { ...asOf, screenId: screen.screen_id }
    : { ...asOf, request: requestOf(draft) };
}

export function passing(asked: Asked, signal: AbortSignal): Promise<Passing> {
  const { screens } = client.peek();
  const options = { ...(asked.as_of !== undefined && { as_of: asked.as_of }), signal };
  return 'screenId' in asked
    ? screens.run(asked.screenId, options)
    : screens.preview({ ...asked.request, ...options });
}
