import { spawn } from 'node:child_process';
import path from 'node:path';
import { KeysServiceService } from '#proto/saring/keys/v1/keys.ts';
import { callerToken, type CallerIdentity } from '#platform/grpc/callers.ts';
import { createGrpcClient, type ClientOptions, type ServiceClient } from '#platform/grpc/client.ts';
import type { ServiceMethods } from '#platform/grpc/method-types.ts';
import { GrpcServer } from '#platform/grpc/server.ts';
import { createLogger } from '#platform/operations/logger.ts';
import { freePort } from '#local/state/ports.ts';
import { REPOSITORY } from '../repository.ts';
import { nodeEnvironment } from './node-environment.ts';
import { followLogs } from './test-logs.ts';

export const OPERATOR_TOKEN = 'operator-token-of-the-tests';
/** The same secret for every service of the tests. */
const CALLER_SECRET = 'caller-secret-of-the-tests';
export const NO_TLS = { GRPC_TLS_CA: '', GRPC_TLS_CERT: '', GRPC_TLS_KEY: '' };
const READY_LINE = '"msg":"ready"';

/** A gRPC server of a test, on a port that the system chooses. */
export const SERVER_CONFIG = {
  GRPC_HOST: '127.0.0.1',
  GRPC_PORT: 0,
  CALLER_SECRET,
  OPERATOR_TOKEN,
  ...NO_TLS,
};

/** The same server, whose log nobody reads. */
export const quietServer = () =>
  new GrpcServer({ service: 'test', config: SERVER_CONFIG, log: createLogger('test', 'silent') });

/** The credentials with which a process of this name calls services of the tests. */
export function identityOf(name: string, token = callerToken(CALLER_SECRET, name)): CallerIdentity {
  return { name, token, setting: 'TOKEN', log: createLogger('test', 'silent') };
}

export interface ServiceProcess {
  address: string;
  pid: number;
  /** Everything that it has logged. */
  output: () => string;
  kill: (signal?: NodeJS.Signals) => Promise<number | null>;
}

/** Runs one service in its own process on a free port and waits until it is ready. */
export async function startService(name: string, env: Record<string, string>): Promise<ServiceProcess> {
  const port = String(await freePort());
  const started = await start([name], `build/${name}.js`, { GRPC_PORT: port, ...env });
  return { address: `127.0.0.1:${port}`, ...started };
}

/** Runs several services in one process and waits until all of them are ready. `env` gives each its ports. */
export function startServices(
  names: string[],
  env: Record<string, string>,
): Promise<Omit<ServiceProcess, 'address'>> {
  return start(names, 'build/services.js', { SERVICES: names.join(), ...env });
}

async function start(
  names: string[],
  program: string,
  env: Record<string, string>,
): Promise<Omit<ServiceProcess, 'address'>> {
  const child = spawn(process.execPath, [path.join(REPOSITORY, program)], {
    env: { ...nodeEnvironment(), GRPC_HOST: '127.0.0.1', OPERATOR_TOKEN, CALLER_SECRET, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  followLogs(() => output);
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const ready = new Promise<boolean>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (text: Buffer) => {
        output += text.toString();
        if (output.split(READY_LINE).length > names.length) resolve(true);
      });
    }
    void exited.then(() => resolve(false));
  });
  if (!(await ready)) throw new Error(`${names.join()} did not start:\n${output}`);
  const kill = (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal);
    return exited;
  };
  return { pid: child.pid!, output: () => output, kill };
}

/** A client of a service in tests, without an identity by default. */
export function clientOf<S extends ServiceMethods>(
  definition: S,
  address: string,
  own: Partial<ClientOptions> = {},
): ServiceClient<S> {
  const usual = { address, unavailableCode: 'data_unavailable', timeoutMs: 10_000, tls: NO_TLS } as const;
  return createGrpcClient(definition, { ...usual, ...own });
}

/** A client of the keys service with this identity, or without one for calls that carry the operator's token. */
export function keysClient(address: string, identity?: CallerIdentity) {
  return clientOf(KeysServiceService, address, { timeoutMs: 5_000, ...(identity && { identity }) });
}
