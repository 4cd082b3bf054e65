import { createParser } from 'eventsource-parser';
import type { CallLimit } from './call-limit.ts';
import type { Job } from './job-types.ts';
import { SaringError } from './saring-error.ts';
import type { Transport } from './transport.ts';

/** The states of a job as the server sends them, until it ends the stream; fails when there is none, or a silent one. */
export async function* jobEvents(
  transport: Transport,
  jobId: string,
  limit: CallLimit,
  silenceMs: number,
): AsyncGenerator<Job> {
  const path = { job_id: jobId };
  const { body, contentType } = await transport.stream('/api/v1/jobs/{job_id}/events', { path }, limit);
  const reader = body.getReader();
  try {
    if (!contentType.startsWith('text/event-stream'))
      throw new SaringError('unexpected_answer', `No event stream, but ${contentType}.`);
    const decoder = new TextDecoder();
    let arrived: Job[] = [];
    const parser = createParser({ onEvent: ({ data }) => arrived.push(JSON.parse(data) as Job) });
    for (;;) {
      const { done, value } = await limit.within(notSilent(reader.read(), silenceMs));
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      yield* arrived;
      arrived = [];
    }
  } finally {
    // A stream that broke off rejects this with what has been thrown already; one that others read too is not waited for.
    void reader.cancel().catch(() => undefined);
  }
}

async function notSilent<Read>(read: Promise<Read>, silenceMs: number): Promise<Read> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    const failure = new SaringError('unexpected_answer', `Nothing came for ${silenceMs} ms.`);
    timer = setTimeout(() => reject(failure), silenceMs);
  });
  return Promise.race([read, silence]).finally(() => clearTimeout(timer));
}
