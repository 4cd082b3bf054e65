import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { CommandFailure, EXIT } from './exit-codes.ts';

const PACKAGE_ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface Addresses {
  keys: string;
  market_data: string;
  models: string;
  usage: string;
}

/** Where the services are and what proves that the caller is the operator. */
export interface FleetAccess {
  addresses: Addresses;
  operatorToken: string;
}

/**
 * Finds the fleet: in the environment first, then in the `fleet.json` that a running fleet writes, looked for in
 * STATE_DIR, or else in `.saring` of this folder, of those above it, and of the package.
 * @throws CommandFailure that says how to start one
 */
export function findFleet(env: NodeJS.ProcessEnv = process.env, cwd = process.cwd()): FleetAccess {
  const fromEnvironment = accessFromEnvironment(env);
  if (fromEnvironment) return fromEnvironment;
  const file = fleetFiles(env, cwd).find((candidate) => existsSync(candidate));
  if (!file) {
    throw new CommandFailure(
      EXIT.noFleet,
      `No running fleet found. Start one with 'make run' in ${PACKAGE_ROOT}`,
    );
  }
  return accessFromFile(file);
}

function accessFromEnvironment(env: NodeJS.ProcessEnv): FleetAccess | undefined {
  const { KEYS_ADDRESS, MARKET_DATA_ADDRESS, MODELS_ADDRESS, USAGE_ADDRESS, SARING_OPERATOR_TOKEN } = env;
  if (!KEYS_ADDRESS || !MARKET_DATA_ADDRESS || !MODELS_ADDRESS || !USAGE_ADDRESS || !SARING_OPERATOR_TOKEN) {
    return undefined;
  }
  return {
    addresses: {
      keys: KEYS_ADDRESS,
      market_data: MARKET_DATA_ADDRESS,
      models: MODELS_ADDRESS,
      usage: USAGE_ADDRESS,
    },
    operatorToken: SARING_OPERATOR_TOKEN,
  };
}

function fleetFiles(env: NodeJS.ProcessEnv, cwd: string): string[] {
  if (env['STATE_DIR']) return [path.resolve(cwd, env['STATE_DIR'], 'fleet.json')];
  const folders: string[] = [];
  for (let folder = path.resolve(cwd); ; folder = path.dirname(folder)) {
    folders.push(folder);
    if (folder === path.dirname(folder)) break;
  }
  return [...folders, PACKAGE_ROOT].map((folder) => path.join(folder, '.saring', 'fleet.json'));
}

function accessFromFile(file: string): FleetAccess {
  try {
    const { addresses, operator_token } = JSON.parse(readFileSync(file, 'utf8')) as {
      addresses: Addresses;
      operator_token: string;
    };
    return { addresses, operatorToken: operator_token };
  } catch (error) {
    throw new CommandFailure(EXIT.noFleet, `${file} cannot be read: ${(error as Error).message}`);
  }
}
