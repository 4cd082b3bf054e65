/** Where two gateways before the same services are: one keeps answers, the other asks the service each time. */
export interface Gateways {
  keeping: string;
  asking: string;
}
