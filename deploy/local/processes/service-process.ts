import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TlsSettings } from '#shared/grpc/credentials.ts';
import type { ProcessSpec } from './launch.ts';
import { answersGrpc, answersRest, probeGateway, probeGrpc } from './probes.ts';
import { SETTING_NAMES, type ServiceDefinition, type SettingName } from '../service-table.ts';
import type { StateDir } from '../state/state-dir.ts';

export const PROJECT_ROOT = fileURLToPath(new URL('../../..', import.meta.url));

type ServiceSettings = Partial<Record<SettingName, string>>;

interface ServiceProcessOptions {
  /** All settings of the fleet. The process gets those named in its definition. */
  settings: ServiceSettings;
  /** The port for gRPC or REST. */
  port: number;
  /** The port for `/livez`, `/readyz` and `/metrics`. */
  opsPort: number;
  stateDir: StateDir;
  tls: TlsSettings;
}

/** The process of one service. */
export function serviceProcess(definition: ServiceDefinition, options: ServiceProcessOptions): ProcessSpec {
  const { settings, port, opsPort, stateDir, tls } = options;
  const given = Object.fromEntries(definition.settings.map((name) => [name, settings[name]]));
  const servesGrpc = definition.serves === 'grpc';
  return {
    name: definition.name,
    title: definition.title,
    command: process.execPath,
    args: [path.join(PROJECT_ROOT, definition.entry)],
    env: {
      ...userEnvironment(stateDir),
      ...given,
      OPS_HOST: '127.0.0.1',
      OPS_PORT: String(opsPort),
      ...(servesGrpc ? { GRPC_HOST: '127.0.0.1', GRPC_PORT: String(port) } : {}),
    },
    logFile: stateDir.logFile(definition.name),
    ipc: true,
    stopSignal: 'SIGTERM',
    parentDeathSignal: 'TERM',
    probe: servesGrpc ? () => probeGrpc(port, tls) : () => probeGateway(port),
    readyWithinMs: 45_000,
    liveness: [servesGrpc ? answersGrpc(port, tls) : answersRest(port)],
  };
}

/**
 * The user's environment without the variables that the fleet sets, so that a secret only reaches the processes that need it.
 */
export function userEnvironment(stateDir: StateDir): NodeJS.ProcessEnv {
  const decided: readonly string[] = SETTING_NAMES;
  const own = Object.entries(process.env).filter(([name]) => !decided.includes(name));
  return { LOG_LEVEL: 'info', NODE_COMPILE_CACHE: stateDir.path('cache'), ...Object.fromEntries(own) };
}
