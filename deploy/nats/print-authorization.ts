/**
 * Prints the configuration of a NATS server of one's own that gives each service a user with just its rights, as the local
 * fleet's server has it. The server reads the passwords from its environment: KEYS_NATS_PASSWORD and so on.
 *
 *   node deploy/nats/print-authorization.ts >/etc/nats/saring-users.conf    # then: include ./saring-users.conf
 */
import { authorizationOfServices, natsPassword } from './authorization.ts';

process.stdout.write(authorizationOfServices((service) => `$${natsPassword(service)}`));
