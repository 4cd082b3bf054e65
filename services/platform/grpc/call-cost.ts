import { ServiceError } from '#foundation/errors/service-error.ts';

/**
 * What the work for one request costs, in milliseconds of processor time of one thread, as estimated before it begins. It travels with the
 * calls of the request: whoever works charges first, and whoever called pays what is missing and calls again.
 */
export class CallCost {
  paidMs: number;
  chargedMs: number;

  constructor(paidMs = 0, chargedMs = 0) {
    this.paidMs = paidMs;
    this.chargedMs = chargedMs;
  }

  /**
   * Charges work that has not begun. Returns a function that takes the charge back, for work that turns out not to begin.
   * @throws ServiceError with `costMs`, what the request then costs in all, if less was paid; nothing is then charged
   */
  charge(ms: number): () => void {
    const chargedBeforeMs = this.chargedMs;
    const costMs = chargedBeforeMs + Math.max(1, Math.ceil(ms));
    if (costMs > this.paidMs) throw new ServiceError('rate_limited', `This costs ${costMs} ms.`, { costMs });
    this.chargedMs = costMs;
    return () => (this.chargedMs = chargedBeforeMs);
  }
}
