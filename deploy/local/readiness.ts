import { Client, type MethodDefinition } from '@grpc/grpc-js';
import { service as healthService } from 'grpc-health-check';
import { channelCredentials } from '#shared/grpc/credentials.ts';
import { probeTcp } from './probe-tcp.ts';

const DEADLINE_MS = 2_000;

/** @throws unless the service on 127.0.0.1 says SERVING to the standard gRPC health check */
export async function probeGrpc(port: number): Promise<void> {
  await probeTcp(port);
  const { path, requestSerialize, responseDeserialize } = healthService.Check as MethodDefinition<
    { service: string },
    { status: string }
  >;
  const client = new Client(`127.0.0.1:${port}`, channelCredentials(tlsFiles()), {
    'grpc.use_local_subchannel_pool': 1,
  });
  try {
    const status = await new Promise<string>((resolve, reject) => {
      const options = { deadline: Date.now() + DEADLINE_MS };
      client.makeUnaryRequest(
        path,
        requestSerialize,
        responseDeserialize,
        { service: '' },
        options,
        (error, answer) => (error ? reject(error) : resolve(answer?.status ?? 'UNKNOWN')),
      );
    });
    if (status !== 'SERVING') throw new Error(`health check says ${status}`);
  } finally {
    client.close();
  }
}

/** @throws unless the gateway answers its health check */
export async function probeGateway(port: number): Promise<void> {
  await probeTcp(port);
  const response = await fetch(`http://127.0.0.1:${port}/api/health`, {
    signal: AbortSignal.timeout(DEADLINE_MS),
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`health check says ${response.status}`);
}

function tlsFiles() {
  const { GRPC_TLS_CA = '', GRPC_TLS_CERT = '', GRPC_TLS_KEY = '' } = process.env;
  return { GRPC_TLS_CA, GRPC_TLS_CERT, GRPC_TLS_KEY };
}
