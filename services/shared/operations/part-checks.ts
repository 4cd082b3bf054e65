import type { NatsConnection } from '@nats-io/transport-node';
import type { ClickHouseClient } from '../clickhouse/clickhouse.ts';
import type { PartCheck } from './readiness.ts';

/** The server answers, not just its connection. */
export function natsAnswers(connection: NatsConnection): PartCheck {
  return () => connection.rtt();
}

/** With its user and password. */
export function clickhouseAnswers(client: ClickHouseClient): PartCheck {
  return async () => {
    const answer = await client.ping({ select: true });
    if (!answer.success) throw answer.error;
  };
}
