import { batch, computed, signal } from '@preact/signals';
import { SaringClient } from '#gateway/client/index.ts';
import { language } from './preferences.ts';

/** Who is signed in. The key lives here alone: a reload forgets it. */
interface Session {
  apiKey: string;
  endUser: string;
}

/** Requests that the key has left in its minute, as the last answer said. */
export interface RateLimit {
  limit: number;
  remaining: number;
}

/** Why the last session ended, where the person did not end it. */
export type EndedBy = 'invalid_api_key' | 'key_disabled';

export const END_USER = 'console';
/** A service that is away is said soon; the person asks again. */
const RETRIES = 1;

const session = signal<Session | undefined>(undefined);
export const endedBy = signal<EndedBy | undefined>(undefined);
export const rateLimit = signal<RateLimit | undefined>(undefined);
export const isSignedIn = computed(() => session.value !== undefined);
/** Differs between sessions: what is kept for one must not be seen in another. */
export const currentSession = computed<object | undefined>(() => session.value);
export const endUser = computed(() => session.value?.endUser ?? END_USER);

/** Speaks for the key, in the language of the page. */
export const client = computed(() => clientOf(session.value ?? { apiKey: '', endUser: END_USER }));

/**
 * Signs in with a key that works.
 * @throws SaringError where it does not
 */
export async function signIn(apiKey: string, asEndUser: string): Promise<void> {
  const wanted = { apiKey, endUser: asEndUser };
  await clientOf(wanted).scopes();
  batch(() => {
    session.value = wanted;
    endedBy.value = undefined;
  });
}

/** Exchanges the token of a one-time link for its key, and signs in with it. False where the link is spent. */
export async function signInOnce(token: string): Promise<boolean> {
  const answer = await fetch('/console/sign-in', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  if (!answer.ok) return false;
  const { api_key } = (await answer.json()) as { api_key: string };
  await signIn(api_key, END_USER);
  return true;
}

export function signOut(reason?: EndedBy): void {
  batch(() => {
    session.value = undefined;
    endedBy.value = reason;
    rateLimit.value = undefined;
  });
}

function clientOf({ apiKey, endUser }: Session): SaringClient {
  return new SaringClient({
    baseUrl: location.origin,
    apiKey,
    endUser,
    language: language.value,
    retries: RETRIES,
    fetch: (request) => watched(request, apiKey),
  });
}

/** Notes what every answer says of the key, and ends the session once it is refused. */
async function watched(request: Request, apiKey: string): Promise<Response> {
  const answer = await fetch(request);
  const [limit, remaining] = ['x-ratelimit-limit', 'x-ratelimit-remaining'].map((name) =>
    Number(answer.headers.get(name) ?? NaN),
  );
  if (Number.isFinite(limit)) rateLimit.value = { limit: limit!, remaining: remaining! };
  if (session.peek()?.apiKey === apiKey && (answer.status === 401 || answer.status === 403)) {
    const { error } = (await answer.clone().json()) as { error?: { code: string } };
    if (error?.code === 'invalid_api_key' || error?.code === 'key_disabled') signOut(error.code);
  }
  return answer;
}
