/**
 * Prints the configuration of a NATS server of one's own that gives each service a user with just its rights, as the local
 * fleet's server has it. The server reads the passwords from its environment: KEYS_NATS_PASSWORD and so on.
 *
 *   node deploy/nats/print-authorization.ts >/etc/nats/saring-users.conf    # then: include ./saring-users.conf
 */
import { NATS_SERVICES, permissionsOf } from '#shared/nats/permissions.ts';
import { authorizationConfig } from './authorization.ts';

const passwordOf = (service: string) => `$${service.toUpperCase().replace('-', '_')}_NATS_PASSWORD`;
const logins = NATS_SERVICES.map((service) => ({
  user: service,
  password: passwordOf(service),
  permissions: permissionsOf(service),
}));
process.stdout.write(authorizationConfig(logins));
