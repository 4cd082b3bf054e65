/** One API key, which the end users of an application share. */
export interface Application {
  key: string;
  keyId: string;
  /** Whether its limit is so small that it is met. */
  isLimited: boolean;
}
