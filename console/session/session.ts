import { batch, computed, signal } from '@preact/signals';
import { SaringClient } from '#client/index.ts';
import { place, replaceAddress } from '#console/routing.ts';
import { language } from './preferences.ts';

/** Who is signed in. The key or the operator's token is kept only here, in memory: a reload forgets it. */
interface Session {
  who: 'application' | 'operator';
  secret: string;
  endUser: string;
}

/** Requests that the key has left in the current minute, according to the last response. */
export interface RateLimit {
  limit: number;
  remaining: number;
}

/** Errors that end a session. */
const ENDING_CODES = ['invalid_api_key', 'key_disabled', 'operator_token_required'] as const;
type EndedBy = (typeof ENDING_CODES)[number];

export const END_USER = 'console';
/** Few, so that an unavailable service is reported soon. The person can try again. */
const RETRIES = 1;

const session = signal<Session | undefined>(undefined);
export const endedBy = signal<EndedBy | undefined>(undefined);
/** Whether the last sign-in link that was opened no longer works. */
export const linkIsSpent = signal(false);
export const rateLimit = signal<RateLimit | undefined>(undefined);
/** Who is signed in; undefined if nobody is. */
export const signedIn = computed(() => session.value?.who);
/** Changes with each session. Use it as a key, so that data kept for one session is not shown in another. */
export const currentSession = computed<object | undefined>(() => session.value);
export const endUser = computed(() => session.value?.endUser ?? END_USER);

/** A client for the key or the operator who is signed in, in the language of the page. */
export const client = computed(() =>
  clientOf(session.value ?? { who: 'application', secret: '', endUser: END_USER }),
);

/**
 * Signs in with a key.
 * @throws SaringError if the key does not work
 */
export async function signIn(apiKey: string, asEndUser: string): Promise<void> {
  const wanted = { who: 'application', secret: apiKey, endUser: asEndUser } as const;
  await clientOf(wanted).scopes();
  begin(wanted);
}

/**
 * Signs in with the operator's token.
 * @throws SaringError if the token is wrong, or if the gateway does not serve the operator's endpoints
 */
export async function signInAsOperator(token: string): Promise<void> {
  const wanted = { who: 'operator', secret: token, endUser: END_USER } as const;
  await clientOf(wanted).operator.processes();
  begin(wanted);
}

function begin(wanted: Session): void {
  batch(() => {
    session.value = wanted;
    endedBy.value = undefined;
    linkIsSpent.value = false;
  });
}

/**
 * Signs in if the current address is a sign-in link. The token leaves the address bar and the history before any request.
 * Whoever is signed in stays so if the link no longer works.
 */
export async function followSignInLink(): Promise<void> {
  const { page, argument } = place.peek();
  linkIsSpent.value = false;
  if (page !== 'sign-in') return;
  replaceAddress('#/');
  linkIsSpent.value = !(await signInOnce(argument).catch(() => false));
}

/** Exchanges a one-time token for its key, and signs in with the key. Returns false if the gateway refuses the token. */
async function signInOnce(token: string): Promise<boolean> {
  const response = await fetch('/console/sign-in', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  if (!response.ok) return false;
  const { api_key } = (await response.json()) as { api_key: string };
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

function clientOf({ secret, endUser }: Session): SaringClient {
  return new SaringClient({
    baseUrl: location.origin,
    apiKey: secret,
    endUser,
    language: language.value,
    retries: RETRIES,
    fetch: (request) => watched(request, secret),
  });
}

/** Reads the rate limit from every response, and ends the session once its key or token is refused. */
async function watched(request: Request, secret: string): Promise<Response> {
  const response = await fetch(request);
  const [limit, remaining] = ['x-ratelimit-limit', 'x-ratelimit-remaining'].map((name) =>
    Number(response.headers.get(name) ?? NaN),
  );
  if (Number.isFinite(limit)) rateLimit.value = { limit: limit!, remaining: remaining! };
  if (session.peek()?.secret === secret && (response.status === 401 || response.status === 403)) {
    const { error } = (await response.clone().json()) as { error?: { code: string } };
    const code = ENDING_CODES.find((ending) => ending === error?.code);
    if (code) signOut(code);
  }
  return response;
}
