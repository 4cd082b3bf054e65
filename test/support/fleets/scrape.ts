import type { FleetFile } from './fleet.ts';

/** One sample of a metric. */
interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

/** The samples on `/metrics` of one process. */
export async function scrape(opsUrl: string): Promise<Sample[]> {
  const response = await fetch(`${opsUrl}/metrics`);
  if (!response.ok) throw new Error(`${opsUrl}/metrics answered ${response.status}`);
  return (await response.text()).split('\n').flatMap(sampleOf);
}

/** The samples of all processes of a fleet. */
export async function scrapeFleet({ ops }: FleetFile): Promise<Sample[]> {
  return (await Promise.all(Object.values(ops).map(scrape))).flat();
}

/** The sum over the samples of this name that have all these labels; undefined when there is none. */
export function sumOf(
  samples: Sample[],
  name: string,
  labels: Record<string, string> = {},
): number | undefined {
  const wanted = samples.filter(
    (sample) =>
      sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
  );
  return wanted.length === 0 ? undefined : wanted.reduce((sum, { value }) => sum + value, 0);
}

function sampleOf(line: string): Sample[] {
  const match = /^(?<name>\w+)(?:\{(?<labels>.*)\})? (?<value>\S+)$/.exec(line)?.groups;
  if (!match) return [];
  const { name, labels: inBraces, value } = match as { name: string; labels?: string; value: string };
  const labels = [...(inBraces ?? '').matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(
    ([, key, text]) => [key!, text!] as const,
  );
  return [{ name, labels: Object.fromEntries(labels), value: Number(value) }];
}
