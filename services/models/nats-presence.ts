import type { NatsConnection } from '@nats-io/transport-node';

/** Whether NATS is connected, as far as the connection knows: a server that hangs still counts as here. */
export class NatsPresence {
  #isHere = true;

  constructor(connection: NatsConnection) {
    void this.#follow(connection);
  }

  get isHere(): boolean {
    return this.#isHere;
  }

  async #follow(connection: NatsConnection): Promise<void> {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect') this.#isHere = false;
      if (status.type === 'reconnect') this.#isHere = true;
    }
  }
}
