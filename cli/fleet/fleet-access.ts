import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { settingOf } from '#platform/configuration/settings.ts';
import { EXIT } from '#platform/process/exit-codes.ts';
import { CommandFailure } from '../terminal/command-failure.ts';

const PACKAGE_ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The services that commands call. */
const CALLED = [
  'keys',
  'market_data',
  'models',
  'usage',
  'scheduler',
  'feed',
  'consent',
  'screens',
  'webhooks',
] as const;
type Called = (typeof CALLED)[number];

/** The addresses of the services, and the token that proves that the caller is the operator. */
export interface FleetAccess {
  addresses: Record<Called, string>;
  operatorToken: string;
  /** The base URL of the REST API; unknown when the environment describes the fleet. */
  baseUrl: string | undefined;
}

const CONNECTED_WITHIN_MS = 2_000;

/** Whether the environment describes the fleet, as in the operator's container of a deployment. */
export function isDescribedByEnvironment(env: NodeJS.ProcessEnv = process.env): boolean {
  return Boolean(env['SARING_OPERATOR_TOKEN']);
}

/** What to look at when no service answered: the settings whose address takes no connection, or how to start the fleet. */
export async function noResponse(env: NodeJS.ProcessEnv = process.env): Promise<CommandFailure> {
  if (!isDescribedByEnvironment(env))
    return new CommandFailure(
      EXIT.noFleet,
      "the fleet does not answer. Is it running? Start it with 'make run'.",
    );
  const settings = CALLED.map(addressSetting).map((name) => ({ name, address: env[name] ?? '' }));
  const reached = await Promise.all(settings.map(({ address }) => takesConnections(address)));
  const silent = settings.filter((_, i) => !reached[i]).map(({ name, address }) => `${name} (${address})`);
  if (silent.length > 0)
    return new CommandFailure(
      EXIT.noFleet,
      `these settings name an address that does not answer: ${silent.join(', ')}.`,
    );
  // Only late: the first start of a fleet, for one, repeats a command that ends like this.
  return new CommandFailure(
    EXIT.unavailable,
    'the services at the addresses of the environment take connections, and one did not answer in time.',
  );
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
  const dir = stateDirWith('fleet.json', env, cwd);
  if (dir !== undefined) return path.join(dir, 'fleet.json');
  throw noStateDirectory(`no running fleet found. Start one with 'make run' in ${PACKAGE_ROOT}`, env);
}

/** The setting that names a service's address in the environment. */
function addressSetting(service: Called): string {
  return settingOf(service, 'ADDRESS');
}

function accessFromEnvironment(env: NodeJS.ProcessEnv, operatorToken: string): FleetAccess {
  const addresses = allAddresses((service) => env[addressSetting(service)]);
  if (addresses) return { addresses, operatorToken, baseUrl: undefined };
  const names = CALLED.map(addressSetting);
  throw new CommandFailure(
    EXIT.noFleet,
    `SARING_OPERATOR_TOKEN is set, so ${names.slice(0, -1).join(', ')} and ${names.at(-1)} must be set too (host:port each).`,
  );
}

/**
 * A fleet may run without a feed, and an environment that was written for an earlier version does not say where consent, screens
 * and webhooks are. Calls to them then fail as if they were down, and all other commands work.
 */
const MAY_BE_MISSING: ReadonlySet<Called> = new Set(['feed', 'consent', 'screens', 'webhooks']);
const NOWHERE = '127.0.0.1:1';

/** The address of each service; undefined if one is missing. */
function allAddresses(of: (service: Called) => string | undefined): FleetAccess['addresses'] | undefined {
  const found = CALLED.map(
    (service) => [service, of(service) || (MAY_BE_MISSING.has(service) ? NOWHERE : '')] as const,
  );
  if (found.some(([, address]) => !address)) return undefined;
  return Object.fromEntries(found) as FleetAccess['addresses'];
}

/** The nearest possible state directory that has this file. */
export function stateDirWith(name: string, env: NodeJS.ProcessEnv, cwd: string): string | undefined {
  const stateDir = env['STATE_DIR'] || '.saring';
  const folders = [path.resolve(cwd)];
  while (folders.at(-1) !== path.dirname(folders.at(-1)!)) folders.push(path.dirname(folders.at(-1)!));
  return [...folders, PACKAGE_ROOT]
    .map((folder) => path.resolve(folder, stateDir))
    .find((dir) => existsSync(path.join(dir, name)));
}

function accessFromFile(file: string): FleetAccess {
  const { addresses, operator_token, base_url } =
    readJson<{ addresses?: Partial<FleetAccess['addresses']>; operator_token?: string; base_url?: string }>(
      file,
    ) ?? {};
  const called = allAddresses((service) => addresses?.[service]);
  if (!called || !operator_token) {
    throw new CommandFailure(
      EXIT.noFleet,
      `${file} does not describe a fleet. Start the fleet again with 'make run'.`,
    );
  }
  return { addresses: called, operatorToken: operator_token, baseUrl: base_url };
}

/** The content of a JSON file in the state directory; undefined if there is no such file. */
export function readJson<T>(file: string): T | undefined | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T | null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new CommandFailure(EXIT.noFleet, `${file} cannot be read: ${(error as Error).message}`);
  }
}
