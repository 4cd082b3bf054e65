/** That an endpoint, or a parameter of the call, is going to be removed. */
export interface DeprecationNotice {
  /** Method and path, such as `GET /api/v1/jobs/{job_id}`. */
  endpoint: string;
  since: Date;
  /** Earliest time of the removal; absent while that is open. */
  sunset: Date | undefined;
  /** Address of a page about it. */
  documentation: string | undefined;
}

/** Tells an application what its calls use that is deprecated: each endpoint once, so that it can be logged. */
export class Deprecations {
  readonly #baseUrl: string;
  readonly #tell: ((notice: DeprecationNotice) => void) | undefined;
  readonly #told = new Set<string>();

  constructor(baseUrl: string, tell?: (notice: DeprecationNotice) => void) {
    this.#baseUrl = baseUrl;
    this.#tell = tell;
  }

  /** Reads the headers of a response (RFC 9745, RFC 8594). */
  note(method: string, path: string, headers: Headers): void {
    const tell = this.#tell;
    const [, seconds] = /^@(-?\d+)$/.exec(headers.get('deprecation') ?? '') ?? [];
    const endpoint = `${method.toUpperCase()} ${path}`;
    if (tell === undefined || seconds === undefined || this.#told.has(endpoint)) return;
    this.#told.add(endpoint);
    const sunset = headers.get('sunset');
    const [, page] = /<([^>]+)>; rel="deprecation"/.exec(headers.get('link') ?? '') ?? [];
    const notice: DeprecationNotice = {
      endpoint,
      since: new Date(Number(seconds) * 1_000),
      sunset: sunset === null ? undefined : new Date(sunset),
      documentation: page === undefined ? undefined : new URL(page, this.#baseUrl).href,
    };
    queueMicrotask(() => tell(notice));
  }
}
