import { serviceTable, type ServiceDefinition, type ServiceName } from '#local/service-table.ts';
import { DATABASE_SERVICES } from '#postgres/roles.ts';
import { settingOf } from '#shared/config/settings.ts';
import { databasePassword } from '../secrets/kept-secrets.ts';
import { containerSettings, type ContainerPlace } from './container-settings.ts';

const required = (secret: string) => `\${${secret}:?run prepare.ts first}`;
const COMPOSE: ContainerPlace = { natsServers: ['nats'], reference: required };

/** All others have one container, with the name of the service. */
const COPIES: Partial<Record<ServiceName, number>> = { 'model-worker': 3, gateway: 2 };

/** The settings of gateways behind the proxy. */
const OF_GATEWAY = `HOST: 0.0.0.0
      PORT: '8080'
      TRUSTED_PROXIES: '1'
      RATE_LIMIT_REDIS_URL: redis://:${required('REDIS_PASSWORD')}@redis:6379
      BARS_API: \${BARS_API:-on}
      OPERATOR_API: \${OPERATOR_API:-off}
      OPERATOR_TOKEN_SHA256: ${required('OPERATOR_TOKEN_SHA256')}`;

/** The entries of the compose file for everything that runs from Saring's image, but for the operator's shell. */
export function composeServices(): string {
  const table = serviceTable({ workers: 1 });
  const operations = table
    .flatMap(({ service }) => containersOf(service))
    .map((name) => `${name}=http://${name}:9100`);
  return [migration(), ...table.map((definition) => entriesOf(definition, operations.join()))].join('\n');
}

function containersOf(service: ServiceName): string[] {
  const copies = COPIES[service];
  return copies === undefined
    ? [service]
    : Array.from({ length: copies }, (_, index) => `${service}-${index + 1}`);
}

function entriesOf(definition: ServiceDefinition, operations: string): string {
  const { service, entry } = definition;
  const [first, ...others] = containersOf(service);
  const settings = containerSettings(definition, COMPOSE).map((setting) =>
    'isSecret' in setting
      ? `${setting.name}: ${required(setting.name)}`
      : `${setting.name}: ${setting.value}`,
  );
  if (service === 'gateway') settings.push(OF_GATEWAY, `OPERATIONS_URLS: ${operations}`);
  return `  ${first}:${others.length > 0 ? ` &${service}` : ''}
    <<: *saring
    volumes: ['./secrets/tls/${service}:/tls:ro']
    command: [${entry}]
    environment:
      <<: *common
      GRPC_TLS_CERT: /tls/${service}.crt
      GRPC_TLS_KEY: /tls/${service}.key
      ${settings.join('\n      ')}${others.map((name) => `\n  ${name}: *${service}`).join('')}`;
}

function migration(): string {
  const passwords = DATABASE_SERVICES.map(
    (service) => `${settingOf(service, 'PASSWORD')}: ${required(databasePassword(service))}`,
  );
  return `  # Creates and updates roles and schemas, then exits.
  migrate:
    <<: *saring
    restart: on-failure
    command: [deploy/postgres/migrate.ts]
    environment:
      DATABASE_URL: postgres://postgres:${required('POSTGRES_PASSWORD')}@postgres/saring
      ${passwords.join('\n      ')}
`;
}
