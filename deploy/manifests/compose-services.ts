import { Alias, Document, Scalar, type Node } from 'yaml';
import {
  serviceTable,
  type ServiceDefinition,
  type ServiceName,
} from '#local/configuration/service-table.ts';
import { DATABASE_SERVICES } from '#postgres/roles.ts';
import { settingOf } from '#platform/configuration/settings.ts';
import { databasePassword } from '../secrets/kept-secrets.ts';
import { containerSettings, type ContainerPlace } from './container-settings.ts';

const required = (secret: string) => `\${${secret}:?run prepare.ts first}`;
const COMPOSE: ContainerPlace = { natsServers: ['nats'], reference: required };

/** All others have one container, with the name of the service. */
const COPIES: Partial<Record<ServiceName, number>> = { 'model-worker': 3, gateway: 2 };

/** The settings of gateways behind the proxy. */
const OF_GATEWAY = {
  HOST: '0.0.0.0',
  PORT: '8080',
  TRUSTED_PROXIES: '1',
  RATE_LIMIT_REDIS_URL: `redis://:${required('REDIS_PASSWORD')}@redis:6379`,
  BARS_API: '${BARS_API:-on}',
  OPERATOR_API: '${OPERATOR_API:-off}',
  OPERATOR_TOKEN_SHA256: required('OPERATOR_TOKEN_SHA256'),
};

/** What the rest of the compose file defines for all of Saring's containers, and for their environment. */
const [SARING, COMMON] = [new Alias('saring'), new Alias('common')];
const inOneLine = (...list: (string | Scalar)[]): Node => new Document().createNode(list, { flow: true });

function quoted(text: string): Scalar {
  const scalar = new Scalar(text);
  scalar.type = Scalar.QUOTE_SINGLE;
  return scalar;
}

/** The entries of the compose file for everything that runs from Saring's image, but for the operator's shell. */
export function composeServices(): string {
  const table = serviceTable({ workers: 1 });
  const operations = table
    .flatMap(({ service }) => containersOf(service))
    .map((name) => `${name}=http://${name}:9100`);
  const services = table.flatMap((definition) => entriesOf(definition, operations.join()));
  return `  # Creates and updates roles and schemas, then exits.
${entries({ migrate: migration() })}

${entries(Object.fromEntries(services))}`;
}

/** As they stand below `services:`. The anchors of SARING and COMMON are in the rest of the file. */
function entries(services: object): string {
  const text = new Document({ services }).toString({ lineWidth: 0, verifyAliasOrder: false });
  return text.slice('services:\n'.length).trimEnd();
}

function containersOf(service: ServiceName): string[] {
  const copies = COPIES[service];
  return copies === undefined
    ? [service]
    : Array.from({ length: copies }, (_, index) => `${service}-${index + 1}`);
}

/** The container of a service, or its first one, of which the others are copies. */
function entriesOf(definition: ServiceDefinition, operations: string): [name: string, container: Node][] {
  const { service, entry } = definition;
  const settings = containerSettings(definition, COMPOSE).map((setting) => [
    setting.name,
    'isSecret' in setting ? required(setting.name) : setting.value,
  ]);
  const container = {
    '<<': SARING,
    volumes: inOneLine(quoted(`./secrets/tls/${service}:/tls:ro`)),
    command: inOneLine(entry),
    environment: {
      '<<': COMMON,
      GRPC_TLS_CERT: `/tls/${service}.crt`,
      GRPC_TLS_KEY: `/tls/${service}.key`,
      ...(Object.fromEntries(settings) as object),
      ...(service === 'gateway' && { ...OF_GATEWAY, OPERATIONS_URLS: operations }),
    },
  };
  const [first, ...others] = containersOf(service);
  const node = new Document().createNode(container);
  if (others.length > 0) node.anchor = service;
  return [[first!, node], ...others.map((name): [string, Node] => [name, new Alias(service)])];
}

function migration(): object {
  const passwords = DATABASE_SERVICES.map((service) => [
    settingOf(service, 'PASSWORD'),
    required(databasePassword(service)),
  ]);
  return {
    '<<': SARING,
    restart: 'on-failure',
    command: inOneLine('deploy/postgres/migrate.ts'),
    environment: {
      DATABASE_URL: `postgres://postgres:${required('POSTGRES_PASSWORD')}@postgres/saring`,
      ...(Object.fromEntries(passwords) as object),
    },
  };
}
