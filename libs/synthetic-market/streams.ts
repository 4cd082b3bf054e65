/**
 * First word of every random stream's key. Each new use of randomness takes a new number, so it changes no other stream. What is
 * drawn day by day needs a stream of its own: two series that are drawn one after the other from the same stream would both
 * change with every day that is added, and a market could not go on.
 */
export const STREAMS = {
  market: 1,
  sector: 2,
  listing: 3,
  events: 4,
  company: 5,
  price: 6,
  suspension: 7,
  foreign: 8,
  nego: 9,
  brokerAffinity: 10,
  brokerMood: 11,
  brokerLeaning: 12,
  brokerDay: 13,
  brokerCampaign: 14,
  brokerNego: 15,
  drift: 16,
  regime: 17,
  activity: 18,
  turnover: 19,
  session: 20,
  laterEvents: 21,
  laterListing: 22,
} as const;
