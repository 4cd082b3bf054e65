import type { NatsConnection } from '@nats-io/transport-node';

/** Whether NATS is connected, as far as the connection knows: a server that hangs still counts as here. */
export class NatsPresence {
  #isHere = true;
  readonly #callBacks: (() => void)[] = [];

  constructor(connection: NatsConnection) {
    void this.#follow(connection);
  }

  get isHere(): boolean {
    return this.#isHere;
  }

  /** Calls back whenever NATS has gone or is back. */
  onChange(callBack: () => void): void {
    this.#callBacks.push(callBack);
  }

  async #follow(connection: NatsConnection): Promise<void> {
    for await (const status of connection.status()) {
      if (status.type !== 'disconnect' && status.type !== 'reconnect') continue;
      this.#isHere = status.type === 'reconnect';
      for (const callBack of this.#callBacks) callBack();
    }
  }
}
