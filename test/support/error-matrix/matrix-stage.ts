import { SCOPES } from '#shared/scopes.ts';
import {
  recordedRun,
  savedScreen,
  SCREEN,
  startedSession,
  testedWebhook,
} from '../declared-api/request-parts.ts';
import { fleetFileIn } from '../fleets/fleet.ts';
import { KeyIssuer } from '../fleets/issued-keys.ts';
import { submitRunOf } from '../rest/jobs.ts';
import { Rest } from '../rest/rest.ts';
import { startTroubledGateways } from './troubled-gateways.ts';

export type MatrixStage = Awaited<ReturnType<typeof setMatrixStage>>;

/**
 * Everything that requests of the matrix need: gateways with troubles, and, at the fleet's own where everything works, secrets of
 * keys of every kind and data of the key with every scope.
 */
export async function setMatrixStage(stateDir: string, baseUrl: string) {
  const troubled = await startTroubledGateways();
  const issuer = await KeyIssuer.of(stateDir);
  const scopes = Object.keys(SCOPES);
  const everyScope = (await issuer.issue(scopes)).key;
  /** Keys that lack one scope, by that scope. */
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
  /** For operations that delete what they name, which the others still need. */
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
