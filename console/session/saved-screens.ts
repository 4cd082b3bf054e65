import type { Schemas } from '#client/index.ts';
import { client } from './session.ts';

/** As many as one page of the API holds. */
const SCREENS = 200;

/** The first screens that the end user may read. */
export function savedScreens(signal: AbortSignal): Promise<Schemas['ScreenPage']> {
  return client.value.screens.list({ limit: SCREENS, signal }).first();
}
