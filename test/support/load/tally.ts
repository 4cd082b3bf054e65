/** A request and its outcome. */
interface Exchange {
  /** The purpose of the request, by which the closing table groups. */
  kind: string;
  /** The status, with the code of an error, as in `200` or `503 usage_unavailable`; without a response, what happened. */
  outcome: string;
  /** From sending the request to the last byte of the response, or to the first byte of an event stream. */
  ms: number;
}

const MAX_EXAMPLES = 3;

/** Counts every request of a load. */
export class Tally {
  /** Latencies of all answered requests, by kind. */
  readonly latencies = new Map<string, number[]>();
  /** By outcome: the number of requests of each kind. */
  readonly outcomes = new Map<string, Map<string, number>>();
  /** Outcomes that break the contract, with their number and examples for the search. */
  readonly breaches = new Map<string, { times: number; examples: string[] }>();
  requests = 0;

  count({ kind, outcome, ms }: Exchange): void {
    this.requests++;
    const kinds = this.outcomes.get(outcome) ?? new Map<string, number>();
    this.outcomes.set(outcome, kinds.set(kind, (kinds.get(kind) ?? 0) + 1));
    const latencies = this.latencies.get(kind);
    if (latencies) latencies.push(ms);
    else this.latencies.set(kind, [ms]);
  }

  breach(what: string, example: string): void {
    const breach = this.breaches.get(what) ?? { times: 0, examples: [] };
    breach.times++;
    if (breach.examples.length < MAX_EXAMPLES) breach.examples.push(example);
    this.breaches.set(what, breach);
  }

  /** One sentence for each kind of outcome that breaks the contract. */
  describeBreaches(): string[] {
    return [...this.breaches].map(
      ([what, { times, examples }]) => `${what}, ${times} times, as in ${examples.join('; ')}`,
    );
  }
}
