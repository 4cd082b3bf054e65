import { connect } from 'node:net';
import { createHealthClient, isServing } from '#platform/grpc/client.ts';
import type { TlsSettings } from '#platform/grpc/credentials.ts';
import { randomId } from '#foundation/ids.ts';
import { ATTEMPT_MS, type LivenessProbe } from './liveness.ts';

/** How long a starting process may take to answer a readiness probe. */
const READINESS_DEADLINE_MS = 4_000;
const LIVENESS_PAUSE_MS = 2_000;
/** Longer than any event loop here is ever busy, even on a machine under load. */
const LIVENESS_ALLOWANCE_MS = 15_000;

/**
 * @throws unless something listens on the port of 127.0.0.1. Used as a first check, it makes waiting cheap: connecting a whole
 * client costs much more processor time, which the starting processes need.
 */
export function probeTcp(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.destroy();
      resolve();
    });
  });
}

/** @throws unless the service on 127.0.0.1 answers SERVING to the standard gRPC health check */
export async function probeGrpc(port: number, tls: TlsSettings): Promise<void> {
  await probeTcp(port);
  const client = healthClient(port, tls, READINESS_DEADLINE_MS);
  try {
    if (!(await isServing(client, { requestId: randomId('req') })))
      throw new Error('the health check says that it cannot serve yet');
  } catch (error) {
    // The error of gRPC, such as a refused certificate, is more useful to the user.
    throw (error as Error).cause ?? error;
  } finally {
    client.close();
  }
}

/** @throws unless the gateway answers its health check. Status 429, too many requests from this address, also counts. */
export async function probeGateway(port: number): Promise<void> {
  await probeTcp(port);
  const { ok, status } = await gatewayHealth(port, READINESS_DEADLINE_MS);
  if (!ok && status !== 429) throw new Error(`health check says ${status}`);
}

/** The service answers the standard health check, with any status. */
export function answersGrpc(port: number, tls: TlsSettings): LivenessProbe {
  // One connection for all restarts of the process. A new one for each attempt would cost both sides much more.
  const client = healthClient(port, tls, ATTEMPT_MS);
  return alive(() => isServing(client, { requestId: randomId('req') }));
}

/** The gateway answers its health check, with any status. */
export function answersRest(port: number): LivenessProbe {
  return alive(() => gatewayHealth(port, ATTEMPT_MS));
}

/** A process that gives any response is alive, so `attempt` may only reject when there is none. */
export function alive(attempt: () => Promise<unknown>): LivenessProbe {
  return {
    failing: 'did not answer',
    attempt,
    pauseMs: LIVENESS_PAUSE_MS,
    allowanceMs: LIVENESS_ALLOWANCE_MS,
  };
}

function healthClient(port: number, tls: TlsSettings, timeoutMs: number) {
  return createHealthClient({
    address: `127.0.0.1:${port}`,
    unavailableCode: 'internal_error',
    timeoutMs,
    tls,
  });
}

async function gatewayHealth(port: number, timeoutMs: number): Promise<Response> {
  const url = `http://127.0.0.1:${port}/api/health`;
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
  await response.body?.cancel();
  return response;
}
