import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FleetFile } from '../fleets/fleet.ts';
import { keysClient } from '../processes/service-process.ts';

export interface IssuedKey {
  id: string;
  secret: string;
}

const REQUEST = 'req_0123456789abcdef01234567';

/** Issues and withdraws keys of a fleet, without a process for each as the command line needs it. */
export class KeyIssuer {
  readonly #keys;
  readonly #call;

  private constructor({ addresses, operator_token }: FleetFile) {
    this.#keys = keysClient(addresses.keys);
    this.#call = { requestId: REQUEST, operatorToken: operator_token };
  }

  static async of(stateDir: string): Promise<KeyIssuer> {
    return new KeyIssuer(JSON.parse(await readFile(path.join(stateDir, 'fleet.json'), 'utf8')) as FleetFile);
  }

  async issue(scopes: string[]): Promise<IssuedKey> {
    const wish = { name: 'test', scopes, rate_limit_per_minute: 1_000_000, expires_at: undefined };
    const { api_key, secret } = await this.#keys.createKey({ ...wish, labels: {} }, this.#call);
    return { id: api_key!.id, secret };
  }

  async disabled(scopes: string[]): Promise<IssuedKey> {
    const key = await this.issue(scopes);
    await this.#keys.disableKey({ id: key.id }, this.#call);
    return key;
  }

  async revoked(scopes: string[]): Promise<IssuedKey> {
    const key = await this.issue(scopes);
    await this.#keys.deleteKey({ id: key.id }, this.#call);
    return key;
  }

  close(): void {
    this.#keys.close();
  }
}
