import type { NatsConnection } from '@nats-io/transport-node';
import { RunHeartbeat } from '#proto/saring/events/v1/runs.ts';
import { HEARTBEAT_MS, RunLifeSigns } from './run-life-signs.ts';
import { subjects } from './subjects.ts';

export interface RunListener {
  /** How long the run has been silent while it would have been heard; see RunLifeSigns. */
  silentForMs: (jobId: string) => number;
  stop: () => void;
}

/** Listens to the heartbeats of runs. `listenerId` must be this process's alone. */
export function listenForRuns(connection: NatsConnection, listenerId: string): RunListener {
  const signs = new RunLifeSigns();
  const subscription = connection.subscribe(subjects.runHeartbeats, {
    callback: (error, message) => {
      if (error) return;
      const { worker_id, job_ids } = RunHeartbeat.decode(message.data);
      if (worker_id === listenerId) signs.heardEcho(performance.now());
      for (const jobId of job_ids) signs.heardRun(jobId, performance.now());
    },
  });
  const echo = RunHeartbeat.encode({ worker_id: listenerId, job_ids: [] }).finish();
  const speak = () => connection.publish(subjects.runHeartbeats, echo);
  speak();
  const timer = setInterval(speak, HEARTBEAT_MS / 2);
  return {
    silentForMs: (jobId) => signs.silentForMs(jobId, performance.now()),
    stop: () => {
      clearInterval(timer);
      subscription.unsubscribe();
    },
  };
}
