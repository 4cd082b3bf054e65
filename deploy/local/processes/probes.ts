import { connect } from 'node:net';
import { createHealthClient, healthStatus } from '#shared/grpc/client.ts';
import type { TlsSettings } from '#shared/grpc/credentials.ts';
import { randomId } from '#shared/ids.ts';
import { ATTEMPT_MS, type LivenessProbe } from './liveness.ts';

/** How long a process that starts may take to say that it serves. */
const READINESS_DEADLINE_MS = 2_000;
const LIVENESS_PAUSE_MS = 2_000;
/** Longer than any event loop here is ever busy, also on a machine under load. */
const LIVENESS_ALLOWANCE_MS = 15_000;

/**
 * @throws unless something listens on the port of 127.0.0.1. Asked first, it makes waiting for a process cheap: a
 * whole client that is refused costs much more, on the processors that the starting processes need.
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

/** @throws unless the service on 127.0.0.1 says SERVING to the standard gRPC health check */
export async function probeGrpc(port: number, tls: TlsSettings): Promise<void> {
  await probeTcp(port);
  const client = healthClient(port, tls, READINESS_DEADLINE_MS);
  try {
    const status = await healthStatus(client, { requestId: randomId('req') });
    if (status !== 'SERVING') throw new Error(`health check says ${status}`);
  } catch (error) {
    // What gRPC itself says, such as a certificate that is refused: the person at the terminal can mend it.
    throw (error as Error).cause ?? error;
  } finally {
    client.close();
  }
}

/** @throws unless the gateway answers its health check, if only that too many ask for it from this address */
export async function probeGateway(port: number): Promise<void> {
  await probeTcp(port);
  const { ok, status } = await gatewayHealth(port, READINESS_DEADLINE_MS);
  if (!ok && status !== 429) throw new Error(`health check says ${status}`);
}

/** The service answers the standard health check at all, if only that it does not serve. */
export function answersGrpc(port: number, tls: TlsSettings): LivenessProbe {
  // One connection over all lives of the process: a new one for each question would cost both sides much more.
  const client = healthClient(port, tls, ATTEMPT_MS);
  return alive(() => healthStatus(client, { requestId: randomId('req') }));
}

/** The gateway answers its health check at all. */
export function answersRest(port: number): LivenessProbe {
  return alive(() => gatewayHealth(port, ATTEMPT_MS));
}

/** A process that answers, whatever it answers, is alive: what rejects must mean silence. */
export function alive(attempt: () => Promise<unknown>): LivenessProbe {
  return {
    failing: 'answered nothing',
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
