/** One request and what became of it. */
interface Exchange {
  /** What the request was for, as the closing table groups it. */
  kind: string;
  /** Status and, of an error, its code, as in `200` or `503 usage_unavailable`; of no answer, what happened. */
  outcome: string;
  /** From sending it to the last byte of the answer; of an event stream to its first. */
  ms: number;
}

const MAX_EXAMPLES = 3;

/** Counts every request of a load. */
export class Tally {
  /** Of every request with an answer, by kind. */
  readonly latencies = new Map<string, number[]>();
  /** Kinds of requests that had this outcome, with how many of each. */
  readonly outcomes = new Map<string, Map<string, number>>();
  /** What no client of the contract should have met, with how often and where to look for it. */
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
}
