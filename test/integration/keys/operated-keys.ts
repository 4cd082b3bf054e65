import { afterAll, beforeAll, expect } from 'vitest';
import { makeFolder, removeFolders, writeFleetFile } from '#support/fleets/cli-surroundings.ts';
import { runCli } from '#support/fleets/saring-cli.ts';
import {
  identityOf,
  keysClient,
  startService,
  type ServiceProcess,
} from '#support/processes/service-process.ts';
import { ownServers } from '#support/servers/servers.ts';

/** Nothing listens there. */
export const NOWHERE = '127.0.0.1:9';

export interface NewKey {
  id: string;
  secret: string;
  previous_secret_until?: string | null;
}

/** The command line of a fleet of which only the keys service runs. Call at the top of a test file. */
export class OperatedKeys {
  readonly #servers = ownServers();
  service!: ServiceProcess;
  /** As a gateway has it. */
  client!: ReturnType<typeof keysClient>;
  stateDir!: string;

  constructor() {
    beforeAll(async () => {
      this.service = await startService('keys', {
        DATABASE_URL: this.#servers.databaseUrl,
        NATS_URL: this.#servers.natsUrl,
        KEY_PEPPER: 'pepper-of-this-test-file',
      });
      this.client = keysClient(this.service.address, identityOf('gateway'));
      this.stateDir = await makeFolder();
      await writeFleetFile(this.stateDir, { keys: this.service.address, market_data: NOWHERE });
    });
    afterAll(async () => {
      this.client?.close();
      await this.service?.kill();
      await removeFolders();
    });
  }

  readonly cli = (...words: string[]) => runCli(words, { env: { STATE_DIR: this.stateDir } });

  readonly json = async <T>(...words: string[]): Promise<T> => {
    const { code, stdout, stderr } = await this.cli(...words, '--json');
    expect([code, stderr]).toEqual([0, '']);
    return JSON.parse(stdout) as T;
  };

  readonly create = (name: string, ...more: string[]) =>
    this.json<NewKey>('keys', 'create', '--name', name, '--scopes', 'data:read', ...more);
}
