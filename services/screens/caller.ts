/** The end user of a key for whom a call is made. */
export interface Caller {
  api_key_id: string;
  end_user: string;
}

/** How many of a kind end users may own, each and all of a key together. */
export interface OwnershipLimits {
  perEndUser: number;
  perKey: number;
}
