import { Gauge } from 'prom-client';
import type { Teller } from './outbox-event.ts';
import { metricsOf } from '../operations/metrics.ts';
import type { Operations } from '../process/operations.ts';
import type { Outbox, OutboxTables } from './outbox.ts';

/** Regularly measures what waits in the outbox of a service. Copies of it measure the same. Returns a function that stops it. */
export function measureOutbox<Tables extends OutboxTables>(
  operations: Operations,
  service: Teller,
  outbox: Pick<Outbox<Tables>, 'state'>,
): () => Promise<unknown> {
  const common = { labelNames: ['service'], registers: [metricsOf(service)] };
  const waiting = new Gauge({
    name: 'saring_outbox_messages',
    help: 'Messages of the outbox of a service that JetStream has not taken yet, counted up to a bound.',
    ...common,
  });
  const oldest = new Gauge({
    name: 'saring_outbox_oldest_seconds',
    help: 'Age of the oldest of them; 0 when none waits.',
    ...common,
  });
  return operations.measure('the outbox', [waiting, oldest], async () => {
    const { messages, oldestSeconds } = await outbox.state();
    waiting.set({ service }, messages);
    oldest.set({ service }, oldestSeconds);
  });
}
