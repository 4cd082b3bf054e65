import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { CLICKHOUSE_SERVICES, type ClickhouseService } from '#clickhouse/service-users.ts';
import { DATABASE_SERVICES, type DatabaseService } from '#postgres/roles.ts';
import { NATS_SERVICES, type NatsService } from '#platform/nats/permissions.ts';
import { StartError } from '../configuration/start-error.ts';
import {
  CALLED_SERVICES,
  SERVICE_SECRETS,
  type CalledService,
  type ServiceSecret,
} from '../configuration/service-table.ts';
import { writePrivateFile } from './write-private-file.ts';

/** Created on the first start and kept, because the stores were created with them. */
export interface Secrets extends Record<Lowercase<ServiceSecret>, string> {
  postgres_password: string;
  /** By service: each has its own role. */
  postgres_role_passwords: Record<DatabaseService, string>;
  /** By service: each has its own user. The same holds for `clickhouse_passwords`. */
  nats_passwords: Record<NatsService, string>;
  clickhouse_passwords: Record<ClickhouseService, string>;
  clickhouse_analyst_password: string;
  operator_token: string;
  /** By service: each verifies its callers with its own secret. */
  caller_secrets: Record<CalledService, string>;
  /** The API key of the demo application, once issued. */
  demo_key?: string;
}

/** Reads the secrets and creates those that do not exist yet. */
export function loadSecrets(file: string): Secrets {
  const known = existsSync(file) ? readSecrets(file) : {};
  const secrets: Secrets = {
    postgres_password: fresh(),
    clickhouse_analyst_password: fresh(),
    operator_token: fresh(),
    ...forEach(SERVICE_SECRETS.map(stored)),
    ...known,
    postgres_role_passwords: forEach(DATABASE_SERVICES, known.postgres_role_passwords),
    nats_passwords: forEach(NATS_SERVICES, known.nats_passwords),
    clickhouse_passwords: forEach(CLICKHOUSE_SERVICES, known.clickhouse_passwords),
    caller_secrets: forEach(CALLED_SERVICES, known.caller_secrets),
  };
  saveSecrets(file, secrets);
  return secrets;
}

/** The settings of all services that hold secrets of their own. */
export function serviceSecrets(secrets: Secrets): Record<ServiceSecret, string> {
  return Object.fromEntries(SERVICE_SECRETS.map((name) => [name, secrets[stored(name)]])) as Record<
    ServiceSecret,
    string
  >;
}

function stored(name: ServiceSecret): Lowercase<ServiceSecret> {
  return name.toLowerCase() as Lowercase<ServiceSecret>;
}

/** Hex needs no escaping in URLs and configuration files. */
function fresh(): string {
  return randomBytes(24).toString('hex');
}

function forEach<Name extends string>(
  names: readonly Name[],
  known: Partial<Record<Name, string>> = {},
): Record<Name, string> {
  return Object.fromEntries(names.map((name) => [name, known[name] ?? fresh()])) as Record<Name, string>;
}

export function saveSecrets(file: string, secrets: Secrets): void {
  writePrivateFile(file, `${JSON.stringify(secrets, null, 2)}\n`);
}

function readSecrets(file: string): Partial<Secrets> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Partial<Secrets>;
  } catch (error) {
    throw new StartError(
      `${file} cannot be read. Restore it, or delete the state directory to start from scratch.`,
      {
        cause: error,
      },
    );
  }
}
