import { hash } from 'node:crypto';
import { hostsOf, secretsIn } from '#platform/configuration/config.ts';
import { startingWithPostgres } from '#platform/postgres/open-postgres.ts';
import { Ports, readPorts } from './state/ports.ts';
import type { Progress } from './progress.ts';
import { serviceSecrets, type Secrets } from './state/secrets.ts';
import { planServers, type Server } from './servers/plan-servers.ts';
import { credentialsOf, type Credentials } from './service-credentials.ts';
import { serviceProcess, type ServicePorts } from './processes/service-process.ts';
import {
  addressesBy,
  addressSettings,
  processTable,
  serviceTable,
  type Addresses,
  type ServerName,
  type ProcessDefinition,
  type ServiceDefinition,
  type SettingName,
} from './configuration/service-table.ts';
import type { LocalSettings } from './configuration/settings.ts';
import type { StateDir } from './state/state-dir.ts';
import { Supervisor } from './processes/supervisor.ts';
import { writePrivateFile } from './state/write-private-file.ts';

interface FleetOptions {
  settings: LocalSettings;
  secrets: Secrets;
  stateDir: StateDir;
  progress: Progress;
  /** Called for each service and server whenever its process starts or, with undefined, ends. */
  pidChanged: (name: string, pid: number | undefined) => void;
}

/** Every process of the local fleet. */
export class Fleet {
  readonly servers: Record<ServerName, Server>;
  /** Settings that all services share. The operator's command line needs them too. */
  readonly serviceSettings: Record<Exclude<SettingName, keyof Credentials>, string>;
  readonly addresses: Addresses;
  /** Base URL of `/livez`, `/readyz` and `/metrics` of each process. */
  readonly operations: Record<string, string>;
  readonly #processes: { definition: ProcessDefinition; where: string; supervisor: Supervisor }[];
  readonly #serverSupervisors: Partial<Record<ServerName, Supervisor>>;
  readonly #databasePasswords: Secrets['postgres_role_passwords'];
  readonly #progress: Progress;

  /** Chooses every port. A process keeps its port when it restarts, and when the fleet restarts while the port is free. */
  static async plan(options: FleetOptions): Promise<Fleet> {
    const { settings, secrets, stateDir } = options;
    const portsFile = stateDir.path('ports.json');
    const kept = readPorts(portsFile);
    const ports = new Ports([settings.port], { wantsUsual: settings.wantsUsualPorts, kept });
    const servers = await planServers(settings, secrets, stateDir, ports);
    const table = serviceTable({ workers: settings.workers });
    const portsOf = new Map<string, ServicePorts>();
    for (const { name, serves } of table) {
      const port = serves === 'rest' ? settings.port : await ports.free(name);
      portsOf.set(name, { port, opsPort: await ports.free(`${name} operations`) });
    }
    writePrivateFile(
      portsFile,
      `${JSON.stringify(ports.given, null, 2)}
`,
    );
    return new Fleet(options, servers, table, portsOf);
  }

  private constructor(
    options: FleetOptions,
    servers: Record<ServerName, Server>,
    table: ServiceDefinition[],
    portsOf: Map<string, ServicePorts>,
  ) {
    const { settings, secrets, stateDir, progress, pidChanged } = options;
    const processes = processTable(table, settings.layout);
    const membersOf = Object.fromEntries(
      processes.map(({ name, services }) => [name, services.map((service) => service.name)]),
    );
    const events = {
      pidChanged: (process: string, pid: number | undefined) => {
        for (const name of membersOf[process] ?? [process]) pidChanged(name, pid);
      },
      ended: (sentence: string) => progress.step('!', sentence),
      hindered: (sentence: string) => progress.step('!', sentence),
      back: (sentence: string) => progress.step('✓', sentence),
    };
    this.#progress = progress;
    this.#databasePasswords = secrets.postgres_role_passwords;
    this.servers = servers;
    this.addresses = addressesBy((name) => `127.0.0.1:${portsOf.get(name)!.port}`);
    this.operations = Object.fromEntries(
      table.map(({ name }) => [name, `http://127.0.0.1:${portsOf.get(name)!.opsPort}`]),
    );
    this.serviceSettings = {
      OPERATOR_TOKEN: secrets.operator_token,
      ...serviceSecrets(secrets),
      ...addressSettings(this.addresses),
      HOST: '127.0.0.1',
      PORT: String(settings.port),
      CACHE_DIR: stateDir.path('market-cache'),
      GENERATED_MARKET_PACE: settings.generatedMarketPace,
      WEBHOOK_ALLOWED_RANGES: settings.webhookAllowedRanges,
      CONSOLE_SIGN_IN_FILE: stateDir.path('console-sign-in.json'),
      OPERATOR_TOKEN_SHA256: secretsIn(secrets.operator_token)
        .map((token) => hash('sha256', token, 'hex'))
        .join(),
      OPERATIONS_URLS: Object.entries(this.operations)
        .map((named) => named.join('='))
        .join(),
    };
    this.#serverSupervisors = Object.fromEntries(
      Object.entries(servers).flatMap(([name, { spec }]) =>
        spec ? [[name, new Supervisor(spec, events)]] : [],
      ),
    );
    this.#processes = processes.map((definition) => {
      const spec = serviceProcess(definition, {
        settingsOf: ({ service }) => ({
          ...this.serviceSettings,
          ...credentialsOf(service, secrets, servers),
        }),
        portsOf: ({ name }) => portsOf.get(name)!,
        stateDir,
        tls: settings.tls,
      });
      const ports = definition.services.map(({ name }) => portsOf.get(name)!.port);
      const supervisor = new Supervisor(spec, events);
      return { definition, where: `127.0.0.1:${ports.join(', ')}`, supervisor };
    });
  }

  /**
   * Starts the servers in parallel, then the services in parallel. If all started at the same time, the services would take
   * processor time from the servers that they wait for.
   * @throws StartError of the first part that fails to start; `stop` then ends the others
   */
  async start(): Promise<void> {
    await Promise.all([this.#startServer('nats'), this.#startDatabase(), this.#startServer('clickhouse')]);
    await Promise.all(this.#processes.map(({ where, supervisor }) => this.#startProcess(supervisor, where)));
  }

  /** Stops the services from the gateway inwards, then the servers, so that each process stops before those that it needs. */
  async stop(): Promise<void> {
    for (const supervisor of this.#supervisors()) supervisor.retire();
    const stages = Object.values(
      Object.groupBy(this.#processes.toReversed(), ({ definition }) => definition.entry),
    );
    for (const stage of stages) await Promise.all((stage ?? []).map(({ supervisor }) => supervisor.stop()));
    await Promise.all(Object.values(this.#serverSupervisors).map((supervisor) => supervisor.stop()));
  }

  /** Kills everything immediately. */
  kill(): void {
    for (const supervisor of this.#supervisors()) supervisor.kill();
  }

  #supervisors(): Supervisor[] {
    return [
      ...this.#processes.map(({ supervisor }) => supervisor),
      ...Object.values(this.#serverSupervisors),
    ];
  }

  async #startServer(name: ServerName): Promise<void> {
    const server = this.servers[name];
    const where = hostsOf(server.url).join(', ');
    const supervisor = this.#serverSupervisors[name];
    if (supervisor) return this.#startProcess(supervisor, where);
    if (server.spec) return;
    await this.#progress.during(server.title, server.check(), () => `${server.title} answers on ${where}`);
  }

  /** Creates roles and schemas on the embedded server. On an external server the services migrate what their role owns. */
  async #startDatabase(): Promise<void> {
    const { spec, url } = this.servers.postgres;
    if (!spec) return this.#startServer('postgres');
    // Loaded while the server starts, so that it costs no extra time.
    const loading = import('#postgres/prepare-database.ts');
    await this.#startServer('postgres');
    const { prepareDatabase } = await loading;
    const preparing = startingWithPostgres(() => prepareDatabase(url, this.#databasePasswords));
    await this.#progress.during('the database to be prepared', preparing);
  }

  async #startProcess(supervisor: Supervisor, where: string): Promise<void> {
    const { title } = supervisor.spec;
    await this.#progress.during(title, supervisor.start(), () => `${title} ready on ${where}`);
  }
}
