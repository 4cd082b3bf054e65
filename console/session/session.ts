import { batch, computed, signal } from '@preact/signals';
import { SaringClient, SaringError, type Schemas } from '#client/index.ts';
import { language } from '#console/words/language.ts';
import { place, replaceAddress } from '../browser/routing.ts';

/** Who is signed in. */
type Session =
  /** By the cookie of a session, which no script can read: a reload and other tabs stay signed in. */
  | { who: 'application'; id: string; csrfToken: string; endUser: string }
  /** By the operator's token, which is stored nowhere but in this memory: a reload forgets it. */
  | { who: 'operator'; token: string };

/** Requests that the key has left in the current minute, according to the last response. */
interface RateLimit {
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
/** Counts changes of the session. An answer that asks who is signed in is out of date if there was one since its request. */
let changes = 0;
/** Ends with the sign-out that is under way. Its response removes the cookie, and must not remove that of a session begun after it. */
let signingOut: Promise<unknown> = Promise.resolve();
/** Who is signed in; undefined if nobody is. */
export const signedIn = computed(() => session.value?.who);
/** Changes with each session. Use it as a key, so that data loaded in one session is not shown in another. */
export const currentSession = computed<object | undefined>(() => session.value);
export const endUser = computed(() =>
  session.value?.who === 'application' ? session.value.endUser : END_USER,
);

/** The session of this browser; undefined if nobody or the operator is signed in. */
export const ownSession = computed(() =>
  session.value?.who === 'application' ? session.value.id : undefined,
);

/** A client for the application or the operator that is signed in, in the language of the page. */
export const client = computed(() => clientOf(session.value));

/**
 * Signs this browser in with a key, which is not stored.
 * @param keep whether it stays signed in when it is closed
 * @throws SaringError if the key does not work
 */
export async function signIn(apiKey: string, asEndUser: string, { keep }: { keep: boolean }): Promise<void> {
  await signingOut;
  const { sessions } = new SaringClient({ baseUrl: location.origin, apiKey, retries: RETRIES });
  beginSession(await sessions.start({ keep }), asEndUser);
}

/**
 * Signs in with the operator's token.
 * @throws SaringError if the token is wrong, or if the gateway does not serve the operator's endpoints
 */
export async function signInAsOperator(token: string): Promise<void> {
  const wanted = { who: 'operator', token } as const;
  await clientOf(wanted).operator.processes();
  begin(wanted);
}

type Started = Schemas['StartedSession'];

function beginSession(
  { session: { session_id: id }, csrf_token: csrfToken }: Started,
  asEndUser: string,
): void {
  begin({ who: 'application', id, csrfToken, endUser: asEndUser });
  tellOtherTabs(asEndUser);
}

function begin(wanted: Session): void {
  changes += 1;
  if (wanted.who === 'application') rememberSignIn(wanted.endUser);
  batch(() => {
    session.value = wanted;
    endedBy.value = undefined;
    linkIsSpent.value = false;
  });
}

const SIGNED_IN_AS = 'saring.signed-in-as';

/**
 * For which end user this browser is signed in; undefined if it is not, as far as a page can know. It cannot see the cookie of its
 * session, and a request to find out would be one without a key. Every tab sees the same.
 */
function signedInAs(): string | undefined {
  return localStorage.getItem(SIGNED_IN_AS) ?? undefined;
}

function rememberSignIn(endUser: string | undefined): void {
  if (endUser === undefined) localStorage.removeItem(SIGNED_IN_AS);
  else localStorage.setItem(SIGNED_IN_AS, endUser);
}

/** Signs in with the session of this browser, if it has one that still works. */
export async function resumeSession(asEndUser = signedInAs()): Promise<void> {
  if (session.peek()?.who === 'operator') return;
  if (asEndUser === undefined) return forget();
  const change = ++changes;
  const { sessions } = clientOf({ who: 'application', id: '', csrfToken: '', endUser: asEndUser });
  const current = await sessions.list().then((found) => found.current, ended);
  // Without an answer of the gateway, the browser may still be signed in.
  if (current === undefined || change !== changes) return;
  if (current === null) return forget();
  const { session_id: id } = current.session;
  const open = session.peek();
  if (open?.who === 'application' && open.id === id) return;
  begin({ who: 'application', id, csrfToken: current.csrf_token, endUser: asEndUser });
}

/** null for a refusal that says that there is no session; undefined for a failure that says nothing of it. */
function ended(failure: unknown): null | undefined {
  return failure instanceof SaringError && failure.status === 401 ? null : undefined;
}

/** Another tab may have signed out, or in with another key: the cookie is one for all of them. */
const otherTabs = new BroadcastChannel(SIGNED_IN_AS);
otherTabs.onmessage = ({ data: endUser }: MessageEvent<string | null>) => {
  if (endUser !== null) void resumeSession(endUser);
  // What is stored may be of a session that has begun since: the message is old if this tab was frozen.
  else if (session.peek()?.who !== 'operator') leave();
};

/** The message names the end user, because it can arrive before what this tab has stored is seen by the others. */
function tellOtherTabs(endUser: string | null): void {
  otherTabs.postMessage(endUser);
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

/** Exchanges a one-time token for a session. Returns false if the gateway refuses the token. */
async function signInOnce(token: string): Promise<boolean> {
  await signingOut;
  const response = await fetch('/console/sign-in', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  if (!response.ok) return false;
  beginSession((await response.json()) as Started, END_USER);
  return true;
}

/** Signs this browser out: its session ends on the server too. */
export async function signOut(): Promise<void> {
  const open = session.peek();
  const { sessions } = client.peek();
  forget();
  if (open?.who !== 'application') return;
  tellOtherTabs(null);
  signingOut = sessions.end(open.id).catch(() => {});
  await signingOut;
}

/** Ends what this browser knows of its session, and shows the sign-in page. */
function forget(reason?: EndedBy): void {
  if (session.peek()?.who !== 'operator') rememberSignIn(undefined);
  leave(reason);
}

/** Shows the sign-in page, with the reason if the person has not asked for it. */
function leave(reason?: EndedBy): void {
  changes += 1;
  batch(() => {
    session.value = undefined;
    endedBy.value = reason;
    rateLimit.value = undefined;
  });
}

function clientOf(of: Session | undefined): SaringClient {
  return new SaringClient({
    baseUrl: location.origin,
    // A session has no key: its cookie takes the place of the header.
    apiKey: of?.who === 'operator' ? of.token : 'session',
    endUser: of?.who === 'application' ? of.endUser : END_USER,
    language: language.value,
    retries: RETRIES,
    fetch: (request) => watched(request, of),
  });
}

const CHANGES_NOTHING = ['GET', 'HEAD'];

/** Reads the rate limit from every response, and ends the session once its key or token is refused. */
async function watched(request: Request, of: Session | undefined): Promise<Response> {
  if (of?.who !== 'operator') request.headers.delete('authorization');
  if (of?.who === 'application' && !CHANGES_NOTHING.includes(request.method))
    request.headers.set('x-csrf-token', of.csrfToken);
  const response = await fetch(request);
  const [limit, remaining] = ['x-ratelimit-limit', 'x-ratelimit-remaining'].map((name) =>
    Number(response.headers.get(name) ?? NaN),
  );
  if (Number.isFinite(limit)) rateLimit.value = { limit: limit!, remaining: remaining! };
  if (of !== undefined && session.peek() === of && (response.status === 401 || response.status === 403)) {
    const { error } = (await response.clone().json()) as { error?: { code: string } };
    const code = ENDING_CODES.find((ending) => ending === error?.code);
    if (code) forget(code);
    if (error?.code === 'csrf_token_required') void resumeSession();
  }
  return response;
}
