/**
 * A broker code of two to four letters and digits as a number that a 32-bit float holds exactly, whatever table the
 * broker stands in: the code in base 36 behind a 1, so that leading zeros count.
 */
export function brokerNumber(code: string): number {
  return parseInt(`1${code}`, 36);
}

/** The code of a {@link brokerNumber}. */
export function brokerCode(number: number): string {
  return number.toString(36).slice(1).toUpperCase();
}
