import { Counter } from 'prom-client';
import { metricsOf } from '#platform/operations/metrics.ts';
import { DurationHistogram, type DurationSeries } from '#platform/operations/duration-histogram.ts';

const registry = metricsOf('gateway');

/** Label of requests that no route took: unknown paths, refused requests, bytes that are not a request. */
export const NO_ROUTE = 'none';

const durations = new DurationHistogram({
  name: 'saring_http_request_duration_seconds',
  help: 'How long requests took, by the template of their route and the first digit of their status.',
  labelNames: ['method', 'route', 'status'],
  registry,
});
const failures = new Counter({
  name: 'saring_http_errors_total',
  help: 'Requests that were refused or failed, by the code of the error.',
  labelNames: ['method', 'route', 'code'],
  registers: [registry],
});
const refusedConnections = new Counter({
  name: 'saring_http_refused_connections_total',
  help: 'Connections closed at once because there are too many.',
  registers: [registry],
});
const openEventStreams = new DurationHistogram({
  name: 'saring_http_event_stream_duration_seconds',
  help: 'How long streams of events were open.',
  labelNames: ['route'],
  registry,
});

interface EndedRequest {
  method: string | undefined;
  /** Template of the route; undefined if no route took the request. */
  route: string | undefined;
  /** undefined if the client left before its response was sent. */
  status: number | undefined;
  seconds: number;
  code: string | undefined;
  isEventStream: boolean;
}

/** Known methods. Otherwise each method that a client invents would become a label. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const kept = new Map<string, DurationSeries>();

/** Counts a request. If the client left, its status is 499, as in the logs of other servers. */
export function countRequest(ended: EndedRequest): void {
  const { route = NO_ROUTE, status = 499, seconds, code, isEventStream } = ended;
  const method = METHODS.has(ended.method ?? '') ? ended.method! : 'other';
  if (code !== undefined) failures.inc({ method, route, code });
  if (isEventStream && status < 300) openEventStreams.of(route).observe(seconds);
  else seriesOf(method, route, `${Math.floor(status / 100)}xx`).observe(seconds);
}

export function countRefusedConnection(): void {
  refusedConnections.inc();
}

function seriesOf(method: string, route: string, status: string): DurationSeries {
  const key = `${method} ${route} ${status}`;
  let series = kept.get(key);
  if (!series) kept.set(key, (series = durations.of(method, route, status)));
  return series;
}
