import { fleetFileIn, type FleetFile } from './fleet.ts';
import { saring } from './saring-cli.ts';
import { keysClient } from '../processes/service-process.ts';

export interface IssuedKey {
  id: string;
  key: string;
}

/** Everything that the key of an application may do. */
export const TENANT_SCOPES =
  'models:read,models:run,data:read,usage:read,screens:read,screens:write,webhooks:write,events:read';
const NAME = 'test';
const REQUEST = 'req_0123456789abcdef01234567';
/** A rate limit that no test reaches. */
const UNLIMITED = 1_000_000;

/** The key administration that these tests need. */
interface Keys {
  create: (scopes: string[], perMinute: number, isTest: boolean) => Promise<IssuedKey>;
  disable: (id: string) => Promise<unknown>;
  delete: (id: string) => Promise<unknown>;
  close: () => void;
}

/** Calls the service directly, which avoids a process for each call. */
function keysOf({ addresses, operator_token }: FleetFile): Keys {
  const keys = keysClient(addresses.keys);
  const call = { requestId: REQUEST, operatorToken: operator_token };
  return {
    create: async (scopes, rate_limit_per_minute, isTest) => {
      const chosen = { name: NAME, scopes, rate_limit_per_minute, test: isTest };
      const request = { ...chosen, expires_at: undefined, labels: {} };
      const { api_key, secret } = await keys.createKey(request, call);
      return { id: api_key!.id, key: secret };
    },
    disable: (id) => keys.disableKey({ id }, call),
    delete: (id) => keys.deleteKey({ id }, call),
    close: () => keys.close(),
  };
}

/** For a deployment, whose services cannot be reached from outside. */
function keysByCommand(stateDir: string): Keys {
  const run = async (...words: string[]) => {
    const { code, stdout, stderr } = await saring(stateDir, 'keys', ...words);
    if (code !== 0) throw new Error(`saring keys ${words.join(' ')}: ${stderr}`);
    return stdout;
  };
  return {
    create: async (scopes, perMinute, isTest) => {
      const options = [
        '--name',
        NAME,
        '--scopes',
        scopes.join(),
        '--rate-limit',
        String(perMinute),
        '--json',
        ...(isTest ? ['--test'] : []),
      ];
      const { id, secret } = JSON.parse(await run('create', ...options)) as { id: string; secret: string };
      return { id, key: secret };
    },
    disable: (id) => run('disable', id),
    delete: (id) => run('delete', id, '--yes'),
    close: () => {},
  };
}

/** Issues and withdraws keys of a fleet or of a deployment. */
export class KeyIssuer {
  readonly #keys: Keys;

  private constructor(keys: Keys) {
    this.#keys = keys;
  }

  static async of(stateDir: string): Promise<KeyIssuer> {
    const file = await fleetFileIn(stateDir);
    return new KeyIssuer(file.operator_command ? keysByCommand(stateDir) : keysOf(file));
  }

  /** @param isTest whether it is a test key, which sees the test market */
  issue(scopes: string[], perMinute = UNLIMITED, isTest = false): Promise<IssuedKey> {
    return this.#keys.create(scopes, perMinute, isTest);
  }

  async disabled(scopes: string[]): Promise<IssuedKey> {
    const issued = await this.issue(scopes);
    await this.disable(issued);
    return issued;
  }

  async disable({ id }: IssuedKey): Promise<void> {
    await this.#keys.disable(id);
  }

  async revoked(scopes: string[]): Promise<IssuedKey> {
    const issued = await this.issue(scopes);
    await this.#keys.delete(issued.id);
    return issued;
  }

  async withdraw({ id }: IssuedKey): Promise<void> {
    await this.#keys.delete(id);
  }

  close(): void {
    this.#keys.close();
  }
}

/**
 * @param scopes separated by commas
 * @param isTest whether it is a test key, which sees the test market
 */
export async function issueKey(
  stateDir: string,
  scopes = TENANT_SCOPES,
  rateLimit?: number,
  isTest = false,
): Promise<IssuedKey> {
  const issuer = await KeyIssuer.of(stateDir);
  try {
    return await issuer.issue(scopes.split(','), rateLimit, isTest);
  } finally {
    issuer.close();
  }
}
