import type { BrokerMonth } from '#quant/broker-measures/measures.ts';

/** Summaries of months. The name has the segment and the broker classes that they were made with. */
export type NamedMonths = ReadonlyMap<string, BrokerMonth>;

export function nameOf(segment: string, classes: unknown): string {
  return `${segment} ${JSON.stringify(classes)}`;
}

export function segmentOf(name: string): string {
  return name.slice(0, name.indexOf(' '));
}
