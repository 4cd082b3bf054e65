import { SCOPES } from '#shared/scopes.ts';
import {
  recordedRun,
  savedScreen,
  SCREEN,
  startedSession,
  testedWebhook,
  type GoodValues,
} from '../declared-api/request-parts.ts';
import { fleetFileIn } from '../fleets/fleet.ts';
import { KeyIssuer } from '../fleets/issued-keys.ts';
import { submitRunOf } from '../rest/jobs.ts';
import { Rest } from '../rest/rest.ts';
import { startTroubledGateways, type TroubledGateways } from './troubled-gateways.ts';

/** Everything that requests of the matrix need: a fleet with data, keys of every kind, and broken gateways. */
export interface MatrixStage {
  /** The fleet's own gateway, where everything works. */
  baseUrl: string;
  troubled: TroubledGateways;
  /** Secrets of keys of the fleet. */
  keys: {
    everyScope: string;
    /** The operator's token. */
    operator: string;
    disabled: string;
    revoked: string;
    /** Keys that lack one scope, by that scope. */
    without: Record<string, string>;
  };
  good: GoodValues;
  /** The same for operations that delete what they name, which the others still need. */
  goodToDelete: GoodValues;
  /** A screen whose watchlist is gone. */
  lostScreenId: string;
  /** A run of the same key that has no result. */
  failedJobId: string;
  /** The cookie of a browser that is signed in with `everyScope`. */
  sessionCookie: string;
  /** A screen by model that every end user of the key can run. */
  modelScreenId: string;
  /** The same, whose universe has other members on each day. */
  universeScreenId: string;
  stop: () => Promise<void>;
}

export async function setMatrixStage(stateDir: string, baseUrl: string): Promise<MatrixStage> {
  const troubled = await startTroubledGateways();
  const issuer = await KeyIssuer.of(stateDir);
  const scopes = Object.keys(SCOPES);
  const everyScope = (await issuer.issue(scopes)).key;
  const without: Record<string, string> = {};
  for (const scope of scopes)
    without[scope] = (await issuer.issue(scopes.filter((other) => other !== scope))).key;
  const disabled = (await issuer.disabled(scopes)).key;
  const revoked = (await issuer.revoked(scopes)).key;
  issuer.close();
  const rest = new Rest(baseUrl, everyScope);
  const good = await recordedRun(rest, 'matrix-user');
  const { job_id: failedJobId, status } = await submitRunOf(rest, 'recovery_v4', null, '?wait=30');
  if (status !== 'failed') throw new Error(`a run without positions is ${status} instead of failed`);
  const session_id = await startedSession(rest);
  const saved = {
    session_id,
    ...(await savedScreen(rest, good.end_user_id)),
    ...(await testedWebhook(rest)),
  };
  const goodToDelete = { ...good, ...saved };
  const started = await rest.post('/api/v1/sessions', {});
  const sessionCookie = started.headers.get('set-cookie')!.split(';')[0]!;
  const lostScreenId = await screenOfLostWatchlist(rest, good.end_user_id);
  const modelScreenId = await screenByModel(rest, good.end_user_id);
  const universeScreenId = await screenByModel(rest, good.end_user_id, { tickers: ['universe:LQ45'] });
  const { operator_token: operator } = await fleetFileIn(stateDir);
  const keys = { everyScope, operator, disabled, revoked, without };
  return {
    baseUrl,
    troubled,
    keys,
    good,
    goodToDelete,
    lostScreenId,
    failedJobId,
    sessionCookie,
    modelScreenId,
    universeScreenId,
    stop: troubled.stop,
  };
}

async function screenByModel(rest: Rest, endUser: string, universe?: object): Promise<string> {
  const sent = { name: 'by model', model_id: 'confluence_filter', shared: true, universe };
  const { body } = await rest.post<{ screen_id: string }>('/api/v1/screens', sent, { endUser });
  return body.screen_id;
}

async function screenOfLostWatchlist(rest: Rest, endUser: string): Promise<string> {
  const { watchlist_id } = await savedScreen(rest, endUser);
  const screen = { ...SCREEN, universe: { watchlist_id } };
  const { body } = await rest.post<{ screen_id: string }>('/api/v1/screens', screen, { endUser });
  await rest.send(`/api/v1/watchlists/${watchlist_id}`, { method: 'DELETE', endUser });
  return body.screen_id;
}
