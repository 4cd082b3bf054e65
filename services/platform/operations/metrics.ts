import { collectDefaultMetrics, register, Registry } from 'prom-client';

const registries = new Map<string, Registry>();

/** The metrics of one service. Services that share a process keep theirs apart, so equal names do not conflict. */
export function metricsOf(service: string): Registry {
  let registry = registries.get(service);
  if (!registry) registries.set(service, (registry = new Registry()));
  return registry;
}

let isMeasuringProcess = false;

/** Measures memory, processor time, event loop and garbage collection of this process from now on, once for all its services. */
export function measureProcess(): void {
  if (!isMeasuringProcess) collectDefaultMetrics();
  isMeasuringProcess = true;
}

/** The metrics of a service and of the process it runs in, as Prometheus reads them. */
export async function exposition(service: string): Promise<{ contentType: string; text: string }> {
  const parts = await Promise.all([metricsOf(service).metrics(), register.metrics()]);
  return { contentType: register.contentType, text: parts.join('') };
}
