import type { TlsSettings } from '#shared/grpc/credentials.ts';
import { createHealthClient, healthStatus } from '#shared/grpc/client.ts';
import { randomId } from '#shared/ids.ts';
import { probeTcp } from './probe-tcp.ts';

const DEADLINE_MS = 2_000;

/** @throws unless the service on 127.0.0.1 says SERVING to the standard gRPC health check */
export async function probeGrpc(port: number, tls: TlsSettings): Promise<void> {
  await probeTcp(port);
  const client = createHealthClient({
    address: `127.0.0.1:${port}`,
    unavailableCode: 'internal_error',
    timeoutMs: DEADLINE_MS,
    tls,
  });
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
  const response = await fetch(`http://127.0.0.1:${port}/api/health`, {
    signal: AbortSignal.timeout(DEADLINE_MS),
  });
  await response.body?.cancel();
  if (!response.ok && response.status !== 429) throw new Error(`health check says ${response.status}`);
}
