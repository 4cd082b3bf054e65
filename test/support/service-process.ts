import { spawn } from 'node:child_process';
import path from 'node:path';
import { KeysServiceService } from '#proto/saring/keys/v1/keys.ts';
import { createGrpcClient } from '#shared/grpc/client.ts';
import { freePort } from '#local/ports.ts';
import { REPOSITORY } from './fleet.ts';
import { nodeEnvironment } from './node-environment.ts';

export const OPERATOR_TOKEN = 'operator-token-of-the-tests';
export const NO_TLS = { GRPC_TLS_CA: '', GRPC_TLS_CERT: '', GRPC_TLS_KEY: '' };
const READY_LINE = '"msg":"ready"';

export interface ServiceProcess {
  address: string;
  pid: number;
  /** Everything it logged. */
  output: () => string;
  kill: (signal?: NodeJS.Signals) => Promise<number | null>;
}

/** Runs one service as its own process on a free port and waits until it serves. */
export async function startService(name: string, env: Record<string, string>): Promise<ServiceProcess> {
  const port = String(await freePort());
  const child = spawn(process.execPath, [path.join(REPOSITORY, 'services', name, 'main.ts')], {
    env: { ...nodeEnvironment(), GRPC_HOST: '127.0.0.1', GRPC_PORT: port, OPERATOR_TOKEN, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const ready = new Promise<boolean>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (text: Buffer) => {
        output += text.toString();
        if (output.includes(READY_LINE)) resolve(true);
      });
    }
    void exited.then(() => resolve(false));
  });
  if (!(await ready)) throw new Error(`${name} did not start:\n${output}`);
  const kill = (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal);
    return exited;
  };
  return { address: `127.0.0.1:${port}`, pid: child.pid!, output: () => output, kill };
}

export function keysClient(address: string) {
  return createGrpcClient(KeysServiceService, {
    address,
    unavailableCode: 'data_unavailable',
    timeoutMs: 5_000,
    tls: NO_TLS,
  });
}
