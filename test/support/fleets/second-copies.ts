import path from 'node:path';
import { callerTokens, tokenSettings } from '#local/service-credentials.ts';
import {
  addressesBy,
  addressSettings,
  serviceTable,
  type Addresses,
  type ServiceName,
} from '#local/configuration/service-table.ts';
import { ensureCa, makeCertificate } from '#tls/certificates.ts';
import { freePort } from '#local/state/ports.ts';
import { loadSecrets, serviceSecrets } from '#local/state/secrets.ts';
import { DATABASE_SERVICES } from '#postgres/roles.ts';
import { startService, type ServiceProcess } from '../processes/service-process.ts';
import type { Fleet } from './fleet.ts';

type Copied = Exclude<ServiceName, 'gateway'>;
/** In the order in which they start. */
export const COPIED = serviceTable({ workers: 1 })
  .map(({ service }) => service)
  .filter((service): service is Copied => service !== 'gateway');

const CERTIFICATE_DAYS = 2;

/** A second process of every service of a fleet, on the same stores. Each calls the other second processes. */
export class SecondCopies {
  /** Addresses by service, as in `fleet.json`. */
  readonly addresses: Addresses;
  readonly #environments: Record<Copied, Record<string, string>>;
  readonly #tlsFolder: string | undefined;
  readonly #processes = new Map<Copied, ServiceProcess>();

  private constructor(
    addresses: Addresses,
    environments: Record<Copied, Record<string, string>>,
    tlsFolder: string | undefined,
  ) {
    this.addresses = addresses;
    this.#environments = environments;
    this.#tlsFolder = tlsFolder;
  }

  /**
   * @param options.mutualTls whether these processes call each other with certificates
   * @param options.settings settings that the fleet's own processes also have
   */
  static async start(
    fleet: Fleet,
    { mutualTls = false, settings = {} }: { mutualTls?: boolean; settings?: Record<string, string> } = {},
  ): Promise<SecondCopies> {
    const ports = new Map<Copied, number>();
    for (const name of COPIED) ports.set(name, await freePort());
    const addresses = addressesBy((name) => `127.0.0.1:${ports.get(name as Copied)}`);
    const environments = {} as Record<Copied, Record<string, string>>;
    for (const name of COPIED)
      environments[name] = {
        ...(await environmentOf(fleet, name, ports.get(name)!, addresses)),
        ...settings,
      };
    const copies = new SecondCopies(addresses, environments, mutualTls ? certify(fleet) : undefined);
    await copies.startAll();
    return copies;
  }

  /** Call while none of them runs. */
  async startAll(): Promise<void> {
    for (const name of COPIED) await this.#start(name);
  }

  get pids(): Record<string, number> {
    return Object.fromEntries([...this.#processes].map(([name, { pid }]) => [name, pid]));
  }

  /** Kills a process as a crash would, and starts it again. */
  async restart(name: Copied): Promise<void> {
    await this.#processes.get(name)!.kill('SIGKILL');
    await this.#start(name);
  }

  /** TLS settings for a process that calls these services. */
  tlsOf(name: string): Record<string, string> {
    if (this.#tlsFolder === undefined) return {};
    const file = (suffix: string) => path.join(this.#tlsFolder!, suffix);
    return {
      GRPC_TLS_CA: file('ca.crt'),
      GRPC_TLS_CERT: file(`${name}.crt`),
      GRPC_TLS_KEY: file(`${name}.key`),
    };
  }

  /** Replaces every certificate while the processes use them. */
  renewCertificates(): void {
    makeCertificates(this.#tlsFolder!);
  }

  async #start(name: Copied): Promise<void> {
    const env = { ...this.#environments[name], ...this.tlsOf(name) };
    this.#processes.set(name, await startService(name, env));
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#processes.values()].map((process) => process.kill()));
  }
}

/** Makes a CA and a certificate for each process. Returns their folder. */
function certify({ stateDir }: Fleet): string {
  const folder = path.join(stateDir, 'tls');
  ensureCa(folder, CERTIFICATE_DAYS);
  makeCertificates(folder);
  return folder;
}

function makeCertificates(folder: string): void {
  for (const name of [...COPIED, 'gateway']) makeCertificate(folder, name, [], CERTIFICATE_DAYS);
}

/** The environment that the fleet gives its own process of the service, with other addresses. */
async function environmentOf(
  fleet: Fleet,
  service: Copied,
  port: number,
  addresses: Addresses,
): Promise<Record<string, string>> {
  const secrets = loadSecrets(path.join(fleet.stateDir, 'secrets.json'));
  const { ports, pids, nats_url } = await fleet.file();
  const login = (passwords: object) =>
    `${service}:${(passwords as Record<string, string>)[service] ?? ''}@127.0.0.1`;
  const stored = DATABASE_SERVICES.find((name) => name === service);
  return {
    GRPC_PORT: String(port),
    ...(stored && { DATABASE_URL: await fleet.databaseUrl(stored) }),
    // A fleet on an external NATS has one login for all services.
    NATS_URL: pids['nats'] ? `nats://${login(secrets.nats_passwords)}:${ports['nats']}` : nats_url,
    CLICKHOUSE_URL: `http://${login(secrets.clickhouse_passwords)}:${ports['clickhouse']}`,
    CALLER_SECRET: (secrets.caller_secrets as Record<string, string>)[service] ?? '',
    ...tokenSettings(callerTokens(service, secrets)),
    OPERATOR_TOKEN: secrets.operator_token,
    ...serviceSecrets(secrets),
    ...addressSettings(addresses),
    DAILY_RUNS: 'false',
    CANARY_SECONDS: '0',
  };
}
