export interface Received {
  /** Its name without folders. The extension tells CSV from JSON where the content does not. */
  name: string;
  bytes: Buffer;
}

export interface Origin {
  /** For people: never a secret. */
  readonly description: string;
  /**
   * Gets the file of a trading day (YYYY-MM-DD). Ends soon after `signal` aborts.
   * @throws SourceFailure
   */
  get(day: string, signal: AbortSignal): Promise<Received>;
}
