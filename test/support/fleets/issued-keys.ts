import { fleetFileIn, type FleetFile } from './fleet.ts';
import { keysClient } from '../processes/service-process.ts';

export interface IssuedKey {
  id: string;
  key: string;
}

const REQUEST = 'req_0123456789abcdef01234567';
/** No test meets it. */
const UNLIMITED = 1_000_000;

/** Issues and withdraws keys of a fleet, without a process for each as the command line needs it. */
export class KeyIssuer {
  readonly #keys;
  readonly #call;

  private constructor({ addresses, operator_token }: FleetFile) {
    this.#keys = keysClient(addresses.keys);
    this.#call = { requestId: REQUEST, operatorToken: operator_token };
  }

  static async of(stateDir: string): Promise<KeyIssuer> {
    return new KeyIssuer(await fleetFileIn(stateDir));
  }

  async issue(scopes: string[], rate_limit_per_minute = UNLIMITED): Promise<IssuedKey> {
    const request = { name: 'test', scopes, rate_limit_per_minute, expires_at: undefined };
    const { api_key, secret } = await this.#keys.createKey({ ...request, labels: {} }, this.#call);
    return { id: api_key!.id, key: secret };
  }

  async disabled(scopes: string[]): Promise<IssuedKey> {
    const issued = await this.issue(scopes);
    await this.#keys.disableKey({ id: issued.id }, this.#call);
    return issued;
  }

  async revoked(scopes: string[]): Promise<IssuedKey> {
    const issued = await this.issue(scopes);
    await this.#keys.deleteKey({ id: issued.id }, this.#call);
    return issued;
  }

  async withdraw({ id }: IssuedKey): Promise<void> {
    await this.#keys.deleteKey({ id }, this.#call);
  }

  close(): void {
    this.#keys.close();
  }
}

/** @param scopes with commas between */
export async function issueKey(stateDir: string, scopes: string, rateLimit?: number): Promise<IssuedKey> {
  const issuer = await KeyIssuer.of(stateDir);
  try {
    return await issuer.issue(scopes.split(','), rateLimit);
  } finally {
    issuer.close();
  }
}
