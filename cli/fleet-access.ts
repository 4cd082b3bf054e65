import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { EXIT } from '#shared/process/exit-codes.ts';
import { CommandFailure } from './command-failure.ts';

const PACKAGE_ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The addresses of the services, and the token that proves that the caller is the operator. */
export interface FleetAccess {
  addresses: Record<'keys' | 'market_data' | 'models' | 'usage' | 'scheduler', string>;
  operatorToken: string;
  /** The base URL of the REST API; unknown when the environment describes the fleet. */
  baseUrl: string | undefined;
}

type Called = keyof FleetAccess['addresses'];
/** The settings that describe the fleet in the environment. */
const ADDRESS_SETTINGS: Record<Called, string> = {
  keys: 'KEYS_ADDRESS',
  market_data: 'MARKET_DATA_ADDRESS',
  models: 'MODELS_ADDRESS',
  usage: 'USAGE_ADDRESS',
  scheduler: 'SCHEDULER_ADDRESS',
};
const CONNECTED_WITHIN_MS = 2_000;

/** Whether the environment describes the fleet, as in the operator's container of a deployment. */
export function isDescribedByEnvironment(env: NodeJS.ProcessEnv = process.env): boolean {
  return Boolean(env['SARING_OPERATOR_TOKEN']);
}

/** What to look at when no service answered: the settings whose address takes no connection, or how to start the fleet. */
export async function whyNoResponse(env: NodeJS.ProcessEnv = process.env): Promise<string> {
  if (!isDescribedByEnvironment(env))
    return "the fleet does not answer. Is it running? Start it with 'make run'.";
  const settings = Object.values(ADDRESS_SETTINGS).map((name) => ({ name, address: env[name] ?? '' }));
  const reached = await Promise.all(settings.map(({ address }) => takesConnections(address)));
  const silent = settings.filter((_, i) => !reached[i]).map(({ name, address }) => `${name} (${address})`);
  return silent.length > 0
    ? `these settings name an address that does not answer: ${silent.join(', ')}.`
    : 'the services at the addresses of the environment take connections, and one did not answer in time.';
}

async function takesConnections(address: string): Promise<boolean> {
  const { hostname, port } = URL.parse(`tcp://${address.replace(/^dns:\/+/, '')}`) ?? {};
  if (!hostname || !port) return false;
  const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECTED_WITHIN_MS) });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** Why a command that reads a state directory found none. `otherwise` says so where no other deployment is described. */
export function noStateDirectory(otherwise: string, env: NodeJS.ProcessEnv = process.env): CommandFailure {
  return new CommandFailure(
    EXIT.noFleet,
    isDescribedByEnvironment(env)
      ? "this command reads the state directory of 'make run', and there is none here. SARING_OPERATOR_TOKEN is set, so the other " +
          'commands speak to the services at KEYS_ADDRESS and so on. For the logs and stores of that deployment use its own tools, or ' +
          'set STATE_DIR.'
      : otherwise,
  );
}

/**
 * Finds the fleet. Uses the environment if it contains an operator token. Otherwise reads the `fleet.json` of a running fleet,
 * searched in STATE_DIR or `.saring` below this folder, the folders above it, and the package.
 * @throws CommandFailure that says how to start a fleet
 */
export function findFleet(env: NodeJS.ProcessEnv = process.env, cwd = process.cwd()): FleetAccess {
  if (env['SARING_OPERATOR_TOKEN']) return accessFromEnvironment(env, env['SARING_OPERATOR_TOKEN']);
  return accessFromFile(findFleetFile(env, cwd));
}

/**
 * The path of the `fleet.json` that a running fleet of `make run` has in its state directory.
 * @throws CommandFailure that says how to start a fleet
 */
export function findFleetFile(env: NodeJS.ProcessEnv = process.env, cwd = process.cwd()): string {
  const files = stateDirs(env, cwd).map((dir) => path.join(dir, 'fleet.json'));
  const file = files.find((candidate) => existsSync(candidate));
  if (file) return file;
  throw noStateDirectory(`no running fleet found. Start one with 'make run' in ${PACKAGE_ROOT}`, env);
}

function accessFromEnvironment(env: NodeJS.ProcessEnv, operatorToken: string): FleetAccess {
  const { KEYS_ADDRESS: keys, MARKET_DATA_ADDRESS: market_data } = env;
  const { MODELS_ADDRESS: models, USAGE_ADDRESS: usage, SCHEDULER_ADDRESS: scheduler } = env;
  if (keys && market_data && models && usage && scheduler) {
    return { addresses: { keys, market_data, models, usage, scheduler }, operatorToken, baseUrl: undefined };
  }
  throw new CommandFailure(
    EXIT.noFleet,
    'SARING_OPERATOR_TOKEN is set, so KEYS_ADDRESS, MARKET_DATA_ADDRESS, MODELS_ADDRESS, USAGE_ADDRESS and SCHEDULER_ADDRESS must ' +
      'be set too (host:port each).',
  );
}

/** Possible state directories, nearest first. */
export function stateDirs(env: NodeJS.ProcessEnv, cwd: string): string[] {
  const stateDir = env['STATE_DIR'] || '.saring';
  const folders: string[] = [];
  for (let folder = path.resolve(cwd); ; folder = path.dirname(folder)) {
    folders.push(folder);
    if (folder === path.dirname(folder)) break;
  }
  return [...folders, PACKAGE_ROOT].map((folder) => path.resolve(folder, stateDir));
}

function accessFromFile(file: string): FleetAccess {
  const { addresses, operator_token, base_url } = readJson(file) as {
    addresses?: Partial<FleetAccess['addresses']>;
    operator_token?: string;
    base_url?: string;
  };
  const { keys, market_data, models, usage, scheduler } = addresses ?? {};
  if (!keys || !market_data || !models || !usage || !scheduler || !operator_token) {
    throw new CommandFailure(
      EXIT.noFleet,
      `${file} does not describe a fleet. Start the fleet again with 'make run'.`,
    );
  }
  return {
    addresses: { keys, market_data, models, usage, scheduler },
    operatorToken: operator_token,
    baseUrl: base_url,
  };
}

function readJson(file: string): object {
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) ?? {}) as object;
  } catch (error) {
    throw new CommandFailure(EXIT.noFleet, `${file} cannot be read: ${(error as Error).message}`);
  }
}
