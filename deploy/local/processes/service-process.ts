import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ownSetting } from '#platform/configuration/config.ts';
import type { TlsSettings } from '#platform/grpc/credentials.ts';
import type { ProcessSpec } from './launch.ts';
import { answersGrpc, answersRest, probeGateway, probeGrpc } from './probes.ts';
import {
  SETTING_NAMES,
  type ProcessDefinition,
  type ServiceDefinition,
  type SettingName,
} from '../configuration/service-table.ts';
import type { StateDir } from '../state/state-dir.ts';

export const PROJECT_ROOT = fileURLToPath(new URL('../../..', import.meta.url));

interface ServiceProcessOptions {
  /** All settings of the fleet, with the credentials of one service. The service gets those named in its definition. */
  settingsOf: (service: ServiceDefinition) => Partial<Record<SettingName, string>>;
  portsOf: (service: ServiceDefinition) => ServicePorts;
  stateDir: StateDir;
  tls: TlsSettings;
}

/** The ports of a service. */
export interface ServicePorts {
  /** The port for gRPC or REST. */
  port: number;
  /** The port for `/livez`, `/readyz` and `/metrics`. */
  opsPort: number;
}

/** The process of one service, or of several. */
export function serviceProcess(definition: ProcessDefinition, options: ServiceProcessOptions): ProcessSpec {
  const { stateDir, tls } = options;
  const { name, title, entry, services } = definition;
  const probes = services.map((service) => {
    const { port } = options.portsOf(service);
    return service.serves === 'grpc'
      ? { isReady: () => probeGrpc(port, tls), liveness: answersGrpc(port, tls) }
      : { isReady: () => probeGateway(port), liveness: answersRest(port) };
  });
  return {
    name,
    title,
    command: process.execPath,
    args: [YOUNG_GENERATION, path.join(PROJECT_ROOT, entry)],
    env: { ...userEnvironment(stateDir), ...environmentOf(services, options) },
    logFile: stateDir.logFile(name),
    ipc: true,
    stopSignal: 'SIGTERM',
    parentDeathSignal: 'TERM',
    probe: () => Promise.all(probes.map(({ isReady }) => isReady())),
    liveness: probes.map(({ liveness }) => liveness),
  };
}

/** The settings of each service. Services that share a process get theirs under names of their own. */
function environmentOf(
  services: ServiceDefinition[],
  { settingsOf, portsOf }: ServiceProcessOptions,
): NodeJS.ProcessEnv {
  if (services.length === 1) return settingsIn(services[0]!);
  const shared: NodeJS.ProcessEnv = { SERVICES: services.map(({ service }) => service).join() };
  for (const service of services)
    for (const [name, value] of Object.entries(settingsIn(service)))
      shared[ownSetting(service.service, name)] = value;
  return shared;

  function settingsIn(service: ServiceDefinition): NodeJS.ProcessEnv {
    const { port, opsPort } = portsOf(service);
    const settings = settingsOf(service);
    return {
      ...Object.fromEntries(service.settings.map((name) => [name, settings[name]])),
      OPS_HOST: '127.0.0.1',
      OPS_PORT: String(opsPort),
      ...(service.serves === 'grpc' && { GRPC_HOST: '127.0.0.1', GRPC_PORT: String(port) }),
    };
  }
}

/**
 * MiB of each half. V8 lets it grow to 16 while modules are loaded and never gives it back. Threads that compute have limits of
 * their own.
 */
const YOUNG_GENERATION = '--max-semi-space-size=4';

/**
 * The allocator gives columns back to the system when they are freed. By default, glibc keeps up to 64 MiB for each of many
 * threads.
 */
const RETURNS_MEMORY = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '1048576' };

/**
 * The user's environment without the variables that the fleet sets, so that a secret only reaches the processes that need it.
 */
export function userEnvironment(stateDir: StateDir): NodeJS.ProcessEnv {
  const decided: readonly string[] = SETTING_NAMES;
  const own = Object.entries(process.env).filter(([name]) => !decided.includes(name));
  return {
    LOG_LEVEL: 'info',
    NODE_COMPILE_CACHE: stateDir.path('cache'),
    ...RETURNS_MEMORY,
    ...Object.fromEntries(own),
  };
}
