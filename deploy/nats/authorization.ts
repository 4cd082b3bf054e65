import { settingOf } from '#platform/configuration/settings.ts';
import {
  NATS_SERVICES,
  permissionsOf,
  type NatsPermissions,
  type NatsService,
} from '#platform/nats/permissions.ts';

interface NatsLogin {
  user: string;
  /** As written in the configuration: quoted, or the name of a variable with its `$`. */
  password: string;
  /** Without permissions the user may do everything. */
  permissions?: NatsPermissions;
}

/** The part of a server's configuration with users and their permissions. */
export function authorizationConfig(logins: NatsLogin[]): string {
  return `authorization {\n  users: [\n${logins.map(loginConfig).join('')}  ]\n}\n`;
}

/** The variable with the password of a service, for example MARKET_DATA_NATS_PASSWORD. */
export const natsPassword = (service: string) => settingOf(service, 'NATS_PASSWORD');

/**
 * The same with a user for each service that has only the permissions it needs.
 * @param passwordOf as written in the configuration, see {@link NatsLogin}
 */
export function authorizationOfServices(passwordOf: (service: NatsService) => string): string {
  return authorizationConfig(
    NATS_SERVICES.map((service) => ({
      user: service,
      password: passwordOf(service),
      permissions: permissionsOf(service),
    })),
  );
}

function loginConfig({ user, password, permissions }: NatsLogin): string {
  const lines = [`user: ${quoted(user)}`, `password: ${password}`];
  if (permissions) {
    const { publish, subscribe } = permissions;
    lines.push('permissions: {', `  publish: ${only(publish)}`, `  subscribe: ${only(subscribe)}`, '}');
  }
  return ['    {', ...lines.map((line) => `      ${line}`), '    }', ''].join('\n');
}

/** The server takes an empty list to mean "everything". */
function only(subjects: string[]): string {
  if (subjects.length === 0) return '{ deny: ">" }';
  return `{ allow: [${subjects.map(quoted).join(', ')}] }`;
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
