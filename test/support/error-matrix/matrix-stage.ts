import { SCOPES } from '#shared/scopes.ts';
import { recordedRun, type GoodValues } from '../declared-api/request-parts.ts';
import { fleetFileIn } from '../fleets/fleet.ts';
import { KeyIssuer } from '../fleets/issued-keys.ts';
import { submitRunOf } from '../fleets/jobs.ts';
import { Rest } from '../fleets/rest.ts';
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
  /** A run of the same key that has no result. */
  failedJobId: string;
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
  const { operator_token: operator } = await fleetFileIn(stateDir);
  const keys = { everyScope, operator, disabled, revoked, without };
  return { baseUrl, troubled, keys, good, failedJobId, stop: troubled.stop };
}
