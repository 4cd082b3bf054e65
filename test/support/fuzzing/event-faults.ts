import { createParser, type EventSourceMessage } from 'eventsource-parser';

/** What is wrong with a stream of a job's states that has ended: with each event, and if it has none. */
export function eventFaults(text: string, faultsOfData: (data: unknown) => string[]): string[] {
  const events: EventSourceMessage[] = [];
  const faults: string[] = [];
  const parser = createParser({
    onEvent: (event) => events.push(event),
    onError: (error) => faults.push(`no event: ${error.message}`),
  });
  parser.feed(text);
  if (events.length === 0) faults.push(`a stream without events: ${text}`);
  for (const { event, id, data } of events) {
    const job = JSON.parse(data) as { status?: string };
    if (event !== 'status' || id !== job.status) faults.push(`the event ${event} ${id} says ${job.status}`);
    faults.push(...faultsOfData(job));
  }
  return faults;
}
