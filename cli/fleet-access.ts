import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { EXIT } from '#shared/process/exit-codes.ts';
import { CommandFailure } from './command-failure.ts';

const PACKAGE_ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The addresses of the services, and the token that proves that the caller is the operator. */
interface FleetAccess {
  addresses: Record<'keys' | 'market_data' | 'models' | 'usage' | 'scheduler', string>;
  operatorToken: string;
  /** The base URL of the REST API; unknown when the environment describes the fleet. */
  baseUrl: string | undefined;
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
  throw new CommandFailure(
    EXIT.noFleet,
    `no running fleet found. Start one with 'make run' in ${PACKAGE_ROOT}`,
  );
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
