import type { BrokerAssumptions } from '#shared/data-format/broker-layout.ts';
import type { Format } from '../formats/format.ts';
import type { SourceFormat } from '../formats/formats.ts';

export interface DeclaredSourceOptions {
  name: string;
  format: SourceFormat;
  reader: Format;
  requestsPerDay: number;
  maxBytes: number;
  assumed: BrokerAssumptions;
  /** How many of the newest served days it may restate. */
  recheckDays: number;
  /** Its place among the declared sources: what those before it said stays. */
  rank: number;
  /** Whether it brings broker rows rather than bars. */
  isBrokerRows: boolean;
}

/** What the sources that an operator declares have in common. */
export class DeclaredSource<Options extends DeclaredSourceOptions> {
  readonly name: string;
  readonly format: SourceFormat;
  readonly origin: string;
  readonly requestsPerDay: number;
  readonly hasBars: boolean;
  protected readonly options: Options;

  constructor(options: Options, origin: string) {
    this.name = options.name;
    this.format = options.format;
    this.origin = origin;
    this.requestsPerDay = options.requestsPerDay;
    this.hasBars = !options.isBrokerRows;
    this.options = options;
  }
}
