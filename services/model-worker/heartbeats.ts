import type { NatsConnection } from '@nats-io/transport-node';
import { RunHeartbeat } from '#proto/saring/events/v1/runs.ts';
import { HEARTBEAT_MS } from '#shared/nats/run-life-signs.ts';
import { subjects } from '#shared/nats/subjects.ts';

/**
 * Shows that a job is alive until the returned function is called. Begin only once the job is this worker's:
 * a sign of life for a dead worker's job would hide its death.
 */
export function beatFor(jobId: string, workerId: string, connection: NatsConnection): () => void {
  const message = RunHeartbeat.encode({ worker_id: workerId, job_ids: [jobId] }).finish();
  const beat = () => {
    if (!connection.isClosed()) connection.publish(subjects.runHeartbeats, message);
  };
  beat();
  const timer = setInterval(beat, HEARTBEAT_MS);
  return () => clearInterval(timer);
}
