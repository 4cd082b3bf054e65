/** One event as the reader of a stream gets it. */
export interface StreamEvent {
  /** A reader that comes again names the last one it got. Without line breaks. */
  id: string;
  /** Without line breaks. */
  name: string;
  /** Sent as JSON. */
  data: unknown;
}

/** Events as an answer, sent as they come. */
export class EventStream {
  readonly events: AsyncIterable<StreamEvent>;

  constructor(events: AsyncIterable<StreamEvent>) {
    this.events = events;
  }
}
