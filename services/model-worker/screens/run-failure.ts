/** A run that cannot give a result for a reason its caller should read; the message is in Bahasa Indonesia. */
export class RunFailure extends Error {
  override readonly name = 'RunFailure';
}
