import type { TlsSettings } from '#shared/grpc/credentials.ts';
import { createHealthClient, healthStatus } from '#shared/grpc/client.ts';
import { randomId } from '#shared/ids.ts';
import { ATTEMPT_MS, type LivenessProbe } from './liveness.ts';

const PAUSE_MS = 2_000;
/** Longer than any event loop here is ever busy, also on a machine under load. */
const ALLOWANCE_MS = 15_000;

/** The service answers the standard health check at all, if only that it does not serve. */
export function answersGrpc(port: number, tls: TlsSettings): LivenessProbe {
  // One connection over all lives of the process: a new one for each question would cost both sides much more.
  const client = createHealthClient({
    address: `127.0.0.1:${port}`,
    unavailableCode: 'internal_error',
    timeoutMs: ATTEMPT_MS,
    tls,
  });
  return alive(() => healthStatus(client, { requestId: randomId('req') }));
}

/** The gateway answers its health check at all. */
export function answersRest(port: number): LivenessProbe {
  return alive(async () => {
    const url = `http://127.0.0.1:${port}/api/health`;
    const response = await fetch(url, { signal: AbortSignal.timeout(ATTEMPT_MS) });
    await response.body?.cancel();
  });
}

/** A process that answers, whatever it answers, is alive: what rejects must mean silence. */
export function alive(attempt: () => Promise<unknown>): LivenessProbe {
  return { failing: 'answered nothing', attempt, pauseMs: PAUSE_MS, allowanceMs: ALLOWANCE_MS };
}
