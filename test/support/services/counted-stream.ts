import type { JetStreamClient } from '@nats-io/jetstream';

/** One attempt to publish, and how long it waits for the stream; undefined for the default of the connection. */
interface Attempt {
  subject: string;
  timeoutMs: number | undefined;
}

/** A client that publishes like this one, and counts its attempts. Tells how long code under test would wait at most. */
export function countedStream(js: JetStreamClient): { js: JetStreamClient; attempts: Attempt[] } {
  const attempts: Attempt[] = [];
  const publish: JetStreamClient['publish'] = (subject, payload, options) => {
    attempts.push({ subject, timeoutMs: options?.timeout });
    return js.publish(subject, payload, options);
  };
  return { js: { publish } as JetStreamClient, attempts };
}
