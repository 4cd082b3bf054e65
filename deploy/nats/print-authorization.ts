/**
 * Prints the configuration of an external NATS server that gives each service a user with only the permissions it needs, as on
 * the local fleet's server. The server reads the passwords from its environment: KEYS_NATS_PASSWORD and so on.
 *
 *   node_modules/.bin/node deploy/nats/print-authorization.ts >/etc/nats/saring-users.conf    # then: include ./saring-users.conf
 */
import { authorizationOfServices, natsPassword } from './authorization.ts';

process.stdout.write(authorizationOfServices((service) => `$${natsPassword(service)}`));
