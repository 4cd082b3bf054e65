/** First word of every random stream's key. Each new use of randomness takes a new number, so it changes no other stream. */
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
} as const;
