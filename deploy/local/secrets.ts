import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { StartError } from './start-error.ts';
import { writePrivateFile } from './write-private-file.ts';

/** Made on the first start and kept: the stores were created with them. */
export interface Secrets {
  postgres_password: string;
  nats_password: string;
  clickhouse_fleet_password: string;
  clickhouse_analyst_password: string;
  key_pepper: string;
  cursor_secret: string;
  operator_token: string;
  /** The demo application's API key, once it was issued. */
  demo_key?: string;
}

/** Reads the secrets and makes those that do not exist yet. Hex needs no escaping in URLs and configuration files. */
export function loadSecrets(file: string): Secrets {
  const known = existsSync(file) ? readSecrets(file) : {};
  const fresh = () => randomBytes(24).toString('hex');
  const secrets: Secrets = {
    postgres_password: fresh(),
    nats_password: fresh(),
    clickhouse_fleet_password: fresh(),
    clickhouse_analyst_password: fresh(),
    key_pepper: fresh(),
    cursor_secret: fresh(),
    operator_token: fresh(),
    ...known,
  };
  saveSecrets(file, secrets);
  return secrets;
}

export function saveSecrets(file: string, secrets: Secrets): void {
  writePrivateFile(file, `${JSON.stringify(secrets, null, 2)}\n`);
}

function readSecrets(file: string): Partial<Secrets> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Partial<Secrets>;
  } catch (error) {
    throw new StartError(
      `${file} cannot be read: bring it back, or delete the state directory to start afresh.`,
      {
        cause: error,
      },
    );
  }
}
